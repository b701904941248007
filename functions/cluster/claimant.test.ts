import { expect, it } from 'vitest';
import { type Cluster, kinds } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import { olderClaimant } from './claimant.ts';
import { applyCluster, context, makeWorld, quickstart } from './objects/test-world.ts';
import { useTestDatabase } from './test-database.ts';

const database = useTestDatabase();

const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' };

const cluster = (name: string, second: number, { ref = infrastructureRef, deletionTimestamp = '' } = {}) =>
  ({
    kind: 'Cluster',
    metadata: {
      ...{ namespace: 'default', name, creationTimestamp: `2026-01-01T00:00:0${second}Z` },
      ...(deletionTimestamp ? { deletionTimestamp } : {}),
    },
    spec: { infrastructureRef: ref },
  }) as Cluster;

const COPY = cluster('copy', 5);

it.each([
  ['finds the older Cluster that refers to the same object', [cluster('red', 4)], 'red'],
  ['does not find a younger Cluster', [cluster('red', 6)], undefined],
  [
    'does not find a Cluster of the same second, because the first to adopt the object keeps it',
    [cluster('red', 5)],
    undefined,
  ],
  ['does not find the Cluster itself', [COPY], undefined],
  [
    'does not find a Cluster that refers to another object',
    [cluster('red', 4, { ref: { ...infrastructureRef, name: 'blue' } })],
    undefined,
  ],
  [
    'does not find a Cluster that is being deleted',
    [cluster('red', 4, { deletionTimestamp: '2026-01-01T00:00:09Z' })],
    undefined,
  ],
])('%s', (_, all, name) => {
  expect(olderClaimant(all, COPY, 'infrastructureRef')?.metadata.name).toBe(name);
});

it('leaves an object to an older Cluster that has not adopted it yet', async () => {
  const w = await makeWorld(database());
  const { cluster: original, input } = await applyCluster(w, await quickstart());
  w.clock.advance(1);
  const copied = { ...original, metadata: { namespace: 'default', name: 'copy' } };
  const { input: copy } = await applyCluster(w, [copied]);
  const owners = () =>
    Promise.all(
      [kinds.awsCluster, kinds.kubeadmControlPlane].map(async (kind) => {
        const [found] = await w.objects.list<KubeObject>(kind as ResourceDefinition, 'default');
        return found?.metadata.ownerReferences?.map(({ name }) => name);
      }),
    );

  expect((await w.steps.begin(copy, context)).mode).toBe('paused');
  expect(await owners()).toEqual([undefined, undefined]);
  expect((await w.steps.begin(input, context)).mode).toBe('normal');
  expect(await owners()).toEqual([['quickstart'], ['quickstart']]);
});

it('a copy that is deleted leaves the objects of a paused original, which nothing owns yet', async () => {
  const w = await makeWorld(database());
  const wanted = (await quickstart()).map((object) =>
    object.kind === 'Cluster' ? { ...object, spec: { ...(object as Cluster).spec, paused: true } } : object,
  );
  const { cluster: original, input } = await applyCluster(w, wanted);
  await w.steps.begin(input, context);
  w.clock.advance(60);
  const { namespace = '' } = original.metadata;
  const { apiVersion, kind } = original;
  const spec = { ...original.spec, paused: false };
  const copy = (await w.apply({
    apiVersion,
    kind,
    metadata: { namespace, name: 'copy' },
    spec,
  } as KubeObject)) as Cluster;
  const first = w.inputOf(copy, 1);
  for (const step of ['begin', 'report', 'finish'] as const) await w.steps[step](first, context);

  await w.objects.delete(kinds.cluster, copy);
  const last = w.inputOf(copy, 2);
  for (const step of ['begin', 'teardown', 'report'] as const) await w.steps[step](last, context);

  expect(await w.objects.get(kinds.cluster, { namespace, name: 'copy' })).toBeUndefined();
  const refs = [original.spec.infrastructureRef, original.spec.controlPlaneRef].map((ref) => ref?.name ?? '');
  const [infrastructure = '', controlPlane = ''] = refs;
  const left = await Promise.all([
    w.objects.get(kinds.awsCluster, { namespace, name: infrastructure }),
    w.objects.get(kinds.kubeadmControlPlane, { namespace, name: controlPlane }),
  ]);
  for (const object of left) expect(object?.metadata).toMatchObject({ name: expect.any(String) });
  for (const object of left) expect(object?.metadata.deletionTimestamp).toBeUndefined();
});
