import { describe, expect, it } from 'vitest';
import { toSecret } from '../../../shared/bootstrap/certificates/secrets.ts';
import { poolTokenDescription, tokenDescription } from '../../../shared/bootstrap/tokens.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { WorkloadRefusedError } from '../../../shared/workload/client.ts';
import { readCluster } from '../snapshot.ts';
import type { BootstrapToken } from './revoke-tokens.ts';
import { tendTokens } from './tend-tokens.ts';
import { KEY, labels, world } from './test-probe.ts';

const REFUSED = new WorkloadRefusedError({ code: 500, reason: 'InternalError', causes: [] });
const TYPE = 'windlass.dev/BootstrapTokensUpToDate';
const OF_MACHINE = { name: 'bootstrap-token-aaaaaa', description: tokenDescription('gone') };
const OF_POOL = { name: 'bootstrap-token-bbbbbb', description: poolTokenDescription('gone') };

/** A workload cluster that refuses to delete some tokens. */
const makeTokens = async ({ all, kept }: { all: readonly BootstrapToken[]; kept: readonly string[] }) => {
  const w = await world();
  const deleted: string[] = [];
  const tend = async () => {
    const cluster = await w.objects.get(kinds.cluster, KEY);
    const snapshot = await readCluster(w.objects, { ...KEY, uid: cluster?.metadata.uid ?? '' });
    if (!snapshot) throw new Error('no cluster');
    const client = {
      bootstrapTokens: async () => [...all],
      putBootstrapToken: async () => {},
      deleteBootstrapToken: async (name: string) => {
        if (kept.includes(name)) throw REFUSED;
        deleted.push(name);
      },
    };
    return tendTokens(w, client, snapshot, []);
  };
  return { ...w, deleted, tend };
};

const damaged = toSecret(KEY.name, KEY.namespace, 'ca', { certificatePem: 'damaged', privateKeyPem: 'damaged' });

describe('tendTokens', () => {
  it('reports nothing if nothing has ever failed', async () => {
    const { tend } = await makeTokens({ all: [OF_POOL], kept: [] });
    expect(await tend()).toEqual([]);
  });

  it('reports a token that the API server refuses to delete', async () => {
    const { tend } = await makeTokens({ all: [OF_POOL], kept: [OF_POOL.name] });
    expect(await tend()).toEqual([
      { type: TYPE, status: 'False', reason: 'UpdateFailed', message: `* ${REFUSED.message}` },
    ]);
  });

  it('handles tokens of pools even if the CA, which it needs for those of machines, is damaged', async () => {
    const w = await makeTokens({ all: [OF_MACHINE, OF_POOL], kept: [] });
    await w.put(damaged as KubeObject);
    const message = '* secret default/red-ca key tls.crt: is not a PEM certificate';
    expect(await w.tend()).toEqual([{ type: TYPE, status: 'False', reason: 'UpdateFailed', message }]);
    expect(w.deleted).toEqual([OF_POOL.name]);
  });

  it('reports that an earlier failure is over', async () => {
    const w = await makeTokens({ all: [], kept: [] });
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const failed = { type: TYPE, status: 'False', reason: 'UpdateFailed', message: '', lastTransitionTime } as const;
    await w.objects.mutate(kinds.kubeadmControlPlane, KEY, (current) => ({
      ...current,
      metadata: { ...current.metadata, labels },
      status: { ...current.status, conditions: [failed] },
    }));
    expect(await w.tend()).toEqual([{ type: TYPE, status: 'True', reason: 'UpToDate' }]);
  });
});
