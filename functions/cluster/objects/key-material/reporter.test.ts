import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../../shared/kinds/index.ts';
import { createReporterStore, type ReporterStore } from '../../../../shared/store/limits/reporters.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, conditionOf, makeWorld, pass, quickstart, type World } from '../test-world.ts';

const database = useTestDatabase();

const CLUSTER = { namespace: 'default', name: 'quickstart' };
const SECRET = { namespace: 'default', name: 'quickstart-report-changes' };

let w: World;
let reporters: ReporterStore;
let input: ConvergeInput;
beforeEach(async () => {
  reporters = createReporterStore({ client: database().client, table: await database().makeTable() });
  w = await makeWorld(database(), undefined, { reporters });
  input = await beginCluster(w, await quickstart());
});

const annotate = (value: string) =>
  w.objects.mutate(kinds.cluster, CLUSTER, (current) => ({
    ...current,
    metadata: { ...current.metadata, annotations: { 'windlass.dev/report-changes': value } },
  }));
const token = async () => {
  const secret = await w.objects.get(kinds.secret, SECRET);
  return secret && Buffer.from(secret.data?.value ?? '', 'base64').toString();
};
const digestOf = (text: string | undefined) =>
  createHash('sha256')
    .update(text ?? '')
    .digest('hex');
const writeToken = (text: string) =>
  w.objects.mutate(kinds.secret, SECRET, (current) => ({
    ...current,
    data: { value: Buffer.from(text).toString('base64') },
  }));

describe('the token with which the API servers of a cluster report changes', () => {
  it('does not exist without the annotation', async () => {
    await pass(w, input);
    expect(await token()).toBeUndefined();
    expect(await reporters.get(input.cluster.uid)).toBeUndefined();
  });

  it('is generated once, moves with the cluster, and only its digest is recorded', async () => {
    await annotate('Services');
    await pass(w, input);
    const made = await token();
    expect(made).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const secret = await w.objects.get(kinds.secret, SECRET);
    expect(secret).toMatchObject({
      type: 'cluster.x-k8s.io/secret',
      metadata: {
        labels: { 'cluster.x-k8s.io/cluster-name': 'quickstart' },
        ownerReferences: [{ kind: 'KubeadmControlPlane', name: 'quickstart-control-plane', controller: true }],
      },
    });
    const recorded = await reporters.get(input.cluster.uid);
    expect(recorded).toEqual({ cluster: input.cluster, digest: digestOf(made) });
    expect(JSON.stringify(recorded)).not.toContain(made);

    await pass(w, input);
    expect(await token()).toBe(made);
  });

  it('can be replaced by the user, and is generated again after a deletion', async () => {
    await annotate('Services,Nodes');
    await pass(w, input);
    const own = 'o'.repeat(43);
    await writeToken(own);
    await pass(w, input);
    expect((await reporters.get(input.cluster.uid))?.digest).toBe(digestOf(own));

    await w.objects.delete(kinds.secret, SECRET);
    await pass(w, input);
    expect(await token()).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await token()).not.toBe(own);
    expect((await reporters.get(input.cluster.uid))?.digest).toBe(digestOf(await token()));
  });

  it('is reported as invalid if it has the wrong length, and no reports are accepted then', async () => {
    await annotate('Services');
    await pass(w, input);
    const before = await reporters.get(input.cluster.uid);
    await writeToken('short');
    await pass(w, input);
    const owner = await w.objects.get(kinds.kubeadmControlPlane, { ...CLUSTER, name: 'quickstart-control-plane' });
    expect(conditionOf(owner, 'CertificatesAvailable')).toMatchObject({
      status: 'False',
      message:
        '* Secret quickstart-report-changes has no token of 43 characters under "value": delete it, and another one is generated',
    });
    expect(await reporters.get(input.cluster.uid)).toEqual(before);
  });

  it('affects no other cluster, whatever a tenant writes into the Secret or the annotation', async () => {
    const other = { namespace: 'other', name: 'blue', uid: 'u-2' };
    await reporters.trust(other, digestOf('b'.repeat(43)));
    await annotate('Services');
    await pass(w, input);
    await writeToken('b'.repeat(43));
    await pass(w, input);
    expect(await reporters.get('u-2')).toEqual({ cluster: other, digest: digestOf('b'.repeat(43)) });
    expect(await reporters.get(input.cluster.uid)).toMatchObject({ cluster: input.cluster });
  });

  it('causes no replacement of machines', async () => {
    await pass(w, input);
    const before = await w.objects.list(kinds.machine, 'default');
    await annotate('Services,Nodes');
    await pass(w, input);
    await pass(w, input);
    const after = await w.objects.list(kinds.machine, 'default');
    expect(after.map(({ metadata }) => metadata.uid)).toEqual(before.map(({ metadata }) => metadata.uid));
    expect(after.map((machine) => conditionOf(machine, 'UpToDate')?.status)).not.toContain('False');
  });
});
