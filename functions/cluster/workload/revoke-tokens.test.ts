import type { V1Node } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { generateAuthority } from '../../../shared/bootstrap/certificates/authority.ts';
import { testDependencies } from '../../../shared/bootstrap/certificates/fixtures.ts';
import { toSecret } from '../../../shared/bootstrap/certificates/secrets.ts';
import { machineToken, tokenDescription, tokenSecretName, tokenSeed } from '../../../shared/bootstrap/tokens.ts';
import type { Machine } from '../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import { revokeTokens } from './revoke-tokens.ts';

const dependencies = testDependencies();
const ca = await generateAuthority({ ...dependencies, algorithm: 'ECDSA-P256' });
const nameOf = (uid: string) => tokenSecretName(machineToken(tokenSeed(ca.privateKeyPem), uid));
const ours = (uid: string) => ({ name: nameOf(uid), description: tokenDescription(uid) });

interface Of {
  role?: 'control-plane';
  /** The machine's node: none, not Ready, Ready, or Ready with kubeadm's mark of the control plane. */
  node?: 'not ready' | 'ready' | 'marked';
  deleted?: boolean;
}

const machineOf = (uid: string, { role, deleted }: Of): Machine =>
  ({
    metadata: {
      name: uid,
      uid,
      labels: role ? { 'cluster.x-k8s.io/control-plane': '' } : {},
      ...(deleted ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    spec: { providerID: `aws:///a/${uid}` },
  }) as Machine;

const nodeOf = (uid: string, { node }: Of): V1Node[] =>
  node
    ? [
        {
          metadata: { name: uid, labels: node === 'marked' ? { 'node-role.kubernetes.io/control-plane': '' } : {} },
          spec: { providerID: `aws:///a/${uid}` },
          status: { conditions: [{ type: 'Ready', status: node === 'not ready' ? 'False' : 'True' }] },
        },
      ]
    : [];

const revoke = async (machines: Record<string, Of>, tokens: { name: string; description: string }[]) => {
  const deleted: string[] = [];
  const client = {
    deleteBootstrapToken: async (name: string) => void deleted.push(name),
  };
  const objects = { get: async () => toSecret('red', 'default', 'ca', ca) } as Partial<ObjectClient> as ObjectClient;
  const snapshot = {
    cluster: { metadata: { name: 'red', namespace: 'default' } },
    machines: Object.entries(machines).map(([uid, of]) => machineOf(uid, of)),
  } as Partial<ClusterSnapshot> as ClusterSnapshot;
  const nodes = Object.entries(machines).flatMap(([uid, of]) => nodeOf(uid, of));
  await revokeTokens({ objects, clock: dependencies.clock }, client, snapshot, { nodes, all: tokens });
  return deleted;
};

describe('the token of', () => {
  it.each<{ reason: string; of: Of; revoked: boolean }>([
    { reason: 'that has no node', of: {}, revoked: false },
    { reason: 'whose node is not Ready', of: { node: 'not ready' }, revoked: false },
    { reason: 'whose node is Ready', of: { node: 'ready' }, revoked: true },
    {
      reason: 'that kubeadm has not marked as control plane yet',
      of: { role: 'control-plane', node: 'ready' },
      revoked: false,
    },
    {
      reason: 'that kubeadm has marked as control plane',
      of: { role: 'control-plane', node: 'marked' },
      revoked: true,
    },
    { reason: 'that is being deleted', of: { deleted: true }, revoked: true },
  ])('a machine $reason is revoked: $revoked', async ({ of, revoked }) => {
    expect(await revoke({ one: of }, [ours('one')])).toEqual(revoked ? [nameOf('one')] : []);
  });

  it('a machine that no longer exists is revoked, and foreign tokens are kept', async () => {
    const others = [
      { name: 'bootstrap-token-abcdef', description: 'The default bootstrap token of kubeadm init' },
      { name: 'bootstrap-token-123456', description: '' },
    ];
    expect(await revoke({ one: {} }, [ours('one'), ours('gone'), ...others])).toEqual([nameOf('gone')]);
  });
});
