import { expect, it } from 'vitest';
import { type Cluster, kinds, type MachineHealthCheck, type Secret } from '../../../../shared/kinds/index.ts';
import { useTestDatabase } from '../../test-database.ts';
import { applyCluster, conditionOf, context, makeWorld, quickstart, type World } from '../test-world.ts';

const database = useTestDatabase();
const key = { namespace: 'default', name: 'quickstart' };

const check = (name: string, clusterName: string): MachineHealthCheck => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineHealthCheck',
  metadata: { namespace: 'default', name },
  spec: { clusterName, selector: { matchLabels: { tier: 'gold' } }, checks: { nodeStartupTimeoutSeconds: 600 } },
});

/** The example with the objects that `prepare` adds, after it was deleted completely. */
const deleted = async (prepare: (w: World) => Promise<void>): Promise<World> => {
  const w = await makeWorld(database());
  const { input } = await applyCluster(w, await quickstart());
  await w.steps.begin(input, context);
  await prepare(w);
  await w.objects.delete(kinds.cluster, key);
  for (let round = 0; round < 3; round += 1) await w.steps.teardown(input, context);
  await w.objects.mutate(kinds.awsCluster, key, (current) => ({
    ...current,
    metadata: { ...current.metadata, finalizers: [] },
  }));
  await w.steps.report(input, context);

  expect(await w.objects.get(kinds.cluster, key)).toBeUndefined();
  return w;
};

it('deletes the health checks of a Cluster with it, even those without an owner', async () => {
  const w = await deleted(async ({ objects }) => {
    await objects.ensure(kinds.machineHealthCheck, check('own', 'quickstart'));
    await objects.ensure(kinds.machineHealthCheck, check('other', 'other'));
  });
  const left = await w.objects.list(kinds.machineHealthCheck, 'default');
  expect(left.map(({ metadata }) => metadata.name)).toEqual(['other']);
});

it('keeps Secrets of a Cluster if they have another owner or none', async () => {
  const owners = {
    made: [{ apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2', kind: 'KubeadmControlPlane' }],
    synced: [{ apiVersion: 'external-secrets.io/v1', kind: 'ExternalSecret' }],
    both: [
      { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster' },
      { apiVersion: 'bitnami.com/v1alpha1', kind: 'SealedSecret' },
    ],
    given: [],
  };
  const w = await deleted(async ({ objects }) => {
    for (const [name, of] of Object.entries(owners))
      await objects.ensure(kinds.secret, {
        ...{ apiVersion: 'v1', kind: 'Secret' },
        metadata: {
          ...{ namespace: 'default', name, labels: { 'cluster.x-k8s.io/cluster-name': 'quickstart' } },
          ownerReferences: of.map((owner) => ({ ...owner, name: 'any', uid: 'uid' })),
        },
      } as Secret);
  });
  const left = await w.objects.list(kinds.secret, 'default');
  expect(left.map(({ metadata }) => metadata.name)).toEqual(['both', 'given', 'synced']);
});

it('deletes the lock of the first machine even without an owner, and keeps all other ConfigMaps without one', async () => {
  const w = await deleted(async ({ objects }) => {
    for (const [name, data] of Object.entries({
      'quickstart-lock': { 'lock-information': '{"machineName":"m"}' },
      'a-users': { 'lock-information': '{}' },
    }))
      await objects.ensure(kinds.configMap, {
        ...{ apiVersion: 'v1', kind: 'ConfigMap', data },
        metadata: { namespace: 'default', name, labels: { 'cluster.x-k8s.io/cluster-name': 'quickstart' } },
      });
  });
  const left = await w.objects.list(kinds.configMap, 'default');
  expect(left.map(({ metadata }) => metadata.name)).toEqual(['a-users']);
});

it('keeps a Cluster until its extensions allow its deletion, even if none of its objects exist', async () => {
  const w = await makeWorld(database());
  const topology = { classRef: { name: 'any' }, version: 'v1.34.0' };
  const { object: cluster } = await w.objects.ensure(kinds.cluster, {
    ...{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster' },
    metadata: { ...key, finalizers: ['cluster.cluster.x-k8s.io'] },
    spec: { topology },
  } as Cluster);
  const input = { cluster: { ...key, uid: cluster.metadata.uid ?? '' }, wanted: 1, holder: 'test' };
  await w.objects.delete(kinds.cluster, key);
  await w.steps.report(input, context);
  const held = await w.objects.get(kinds.cluster, key);
  expect(conditionOf(held, 'Deleting')).toMatchObject({ reason: 'WaitingForBeforeDeleteHook' });

  const allowed = { 'runtime.cluster.x-k8s.io/ok-to-delete': '' };
  await w.objects.mutate(kinds.cluster, key, ({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...allowed } },
  }));
  await w.steps.report(input, context);
  expect(await w.objects.get(kinds.cluster, key)).toBeUndefined();
});
