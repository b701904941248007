/** MachinePools in deletion whose `infrastructureRef` a user has changed while they had a group. */
import { expect, it } from 'vitest';
import { type AWSMachinePool, type Cluster, kinds, type MachinePool } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { ownerReference } from '../../shared/plan/machines/desired.ts';
import { isPoolOpen, readPools } from '../cluster/pools.ts';
import { readCluster } from '../cluster/snapshot.ts';
import { readAwsPool } from '../providers/aws/machine-pool/read-pool.ts';
import { KEY, LABELS, type PoolWorld, usePoolWorlds } from './test-world.ts';

const makeWorld = usePoolWorlds();

const GROUP = 'infrastructure.cluster.x-k8s.io';
const ref = (kind: string, name = 'p', apiGroup = GROUP) => ({ apiGroup, kind, name });

/** Makes the pool refer to something else, after its execution has started. */
const refer = (w: PoolWorld, infrastructureRef: ReturnType<typeof ref>) =>
  w.objects.mutate(kinds.machinePool, KEY, (now) => {
    const { template } = now.spec;
    return {
      ...now,
      spec: { ...now.spec, template: { ...template, spec: { ...template.spec, infrastructureRef } } },
    } as MachinePool;
  });

/** Whether a pass starts an execution for the pool. */
const isStarted = async (w: PoolWorld): Promise<boolean> => {
  const { clusterUid: uid } = w.input.pool;
  const snapshot = await readCluster(w.objects, { namespace: 'default', name: 'red', uid });
  if (!snapshot) throw new Error('there is no Cluster');
  const pools = await readPools(w.objects, snapshot);
  return pools.some((pool) => isPoolOpen(pool, snapshot, w.clock.now()));
};

const left = async ({ objects }: PoolWorld) =>
  [...(await objects.list(kinds.awsMachinePool)), ...(await objects.list(kinds.machinePool))].map(
    ({ kind, metadata }) => `${kind} ${metadata.name}`,
  );

const startedPool = async (): Promise<PoolWorld> => {
  const w = await makeWorld();
  expect(await w.begin()).toMatchObject({ proceed: true, removal: false });
  w.addGroup((await w.infrastructure()) as AWSMachinePool);
  return w;
};

/** A pool that has referred to `p`, and now refers to `q`; both have a group. */
const startedTwice = async (): Promise<PoolWorld> => {
  const w = await startedPool();
  const { spec, apiVersion, kind } = (await w.infrastructure()) as AWSMachinePool;
  w.addGroup(
    (await w.put({ apiVersion, kind, spec, metadata: { ...KEY, name: 'q' } } as KubeObject)) as AWSMachinePool,
  );
  await refer(w, ref('AWSMachinePool', 'q'));
  await w.begin();
  return w;
};

it.each([
  ['an object that does not exist', ref('AWSMachinePool', 'other')],
  ['a kind that is not served', ref('FooMachinePool', 'p', 'example.com')],
  ['a kind of a group of Windlass that does not exist', ref('FooMachinePool')],
])('removes the group of a pool that refers to %s', async (_, infrastructureRef) => {
  const w = await startedPool();
  await refer(w, infrastructureRef);
  await w.objects.delete(kinds.machinePool, KEY);

  expect(await isStarted(w)).toBe(true);
  expect(await w.begin()).toEqual(expect.objectContaining({ proceed: true, removal: true, infrastructure: 'aws' }));
  await w.removePool(w.input);
  await w.finishRemoval();
  expect(w.groups()).toEqual([]);
  expect(await left(w)).toEqual([]);
});

it('removes all groups of a pool that has referred to several objects, one after the other', async () => {
  const w = await startedTwice();
  await w.objects.delete(kinds.machinePool, KEY);

  await w.remove();
  expect(w.groups()).toEqual(['p']);
  expect(await left(w)).toEqual(['AWSMachinePool p', 'MachinePool p']);

  expect(await isStarted(w)).toBe(true);
  await w.remove();
  expect(w.groups()).toEqual([]);
  expect(await left(w)).toEqual([]);
});

it.each([
  ['has died after removing the first object', true],
  ['has ended, but its answer was lost', false],
])('leaves the other group to the next execution if the last step is repeated because it %s', async (_, isDead) => {
  const w = await startedTwice();
  await w.objects.delete(kinds.machinePool, KEY);
  await w.begin();
  await w.removePool(w.input);
  const { listOfCluster } = w.objects;
  if (isDead)
    w.objects.listOfCluster = (async (...args: Parameters<typeof listOfCluster>) => {
      if (args[0].kind === 'AWSMachinePool' && !(await left(w)).includes('AWSMachinePool q')) throw new Error('died');
      return listOfCluster(...args);
    }) as typeof listOfCluster;
  await w.finishRemoval().catch(({ message }: Error) => expect(message).toBe('died'));
  w.objects.listOfCluster = listOfCluster;
  expect(await left(w)).toEqual(['AWSMachinePool p', 'MachinePool p']);

  await w.finishRemoval();
  expect(await left(w)).toEqual(['AWSMachinePool p', 'MachinePool p']);
  expect(w.groups()).toEqual(['p']);
  expect(w.touched.length).toBeGreaterThan(0);

  await w.remove({ ...w.input, holder: 'next' });
  expect(w.groups()).toEqual([]);
  expect(await left(w)).toEqual([]);
});

it('keeps the finalizer of a group that its execution has not removed, because the reference was changed meanwhile', async () => {
  const w = await startedTwice();
  await w.objects.delete(kinds.machinePool, KEY);
  await w.begin();
  await w.removePool(w.input);
  expect(w.groups()).toEqual(['p']);
  await refer(w, ref('AWSMachinePool', 'p'));
  await w.finishRemoval();
  expect(await left(w)).toEqual(['AWSMachinePool p', 'AWSMachinePool q', 'MachinePool p']);

  await w.remove();
  await w.remove();
  expect(w.groups()).toEqual([]);
  expect(await left(w)).toEqual([]);
});

it('changes nothing of a pool that stays if the last step of the removal of its group is repeated', async () => {
  const w = await startedPool();
  await w.bootstrap();
  await w.objects.delete(kinds.awsMachinePool, KEY);
  await w.remove();
  expect(await left(w)).toEqual(['MachinePool p']);

  const next = { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSMachinePool', metadata: KEY };
  await w.put({ ...next, spec: { minSize: 1, maxSize: 3, awsLaunchTemplate: {} } } as KubeObject);
  await w.finishRemoval();
  expect(await left(w)).toEqual(['AWSMachinePool p', 'MachinePool p']);
  expect((await w.pool())?.metadata.finalizers).toEqual(['machinepool.cluster.x-k8s.io']);
  expect(await w.objects.get(kinds.kubeadmConfig, KEY)).toBeDefined();
});

it('removes a group in the region of an AWSCluster that the Cluster owns, even if the Cluster refers to another one', async () => {
  const w = await startedPool();
  const key = { namespace: 'default', name: 'red' };
  const cluster = await w.objects.mutate(kinds.cluster, key, (now) => ({
    ...now,
    spec: { ...now.spec, infrastructureRef: ref('AWSCluster', 'gone') },
  }));
  await w.objects.mutate(kinds.awsCluster, key, ({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, labels: LABELS, ownerReferences: [ownerReference(cluster as Cluster)] },
  }));
  await w.objects.delete(kinds.machinePool, KEY);

  expect((await readAwsPool(w.objects, w.input.pool))?.awsCluster?.metadata.name).toBe('red');
});

it.each([
  ['an object of another provider', ref('HostCluster', 'hosts', 'infrastructure.windlass.dev')],
  ['an object that does not exist', ref('AWSCluster', 'gone')],
])('removes a group in the region of the AWSCluster with records if the Cluster refers to %s', async (_, reference) => {
  const w = await startedPool();
  const key = { namespace: 'default', name: 'red' };
  await w.put({
    apiVersion: 'infrastructure.windlass.dev/v1alpha1',
    kind: 'HostCluster',
    metadata: { ...key, name: 'hosts', labels: LABELS },
    spec: {},
  } as KubeObject);
  const cluster = await w.objects.mutate(kinds.cluster, key, (now) => ({
    ...now,
    spec: { ...now.spec, infrastructureRef: reference },
  }));
  const ownerReferences = [ownerReference(cluster as Cluster)];
  await w.objects.mutate(kinds.awsCluster, key, ({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, labels: LABELS, ownerReferences, annotations: { 'windlass.dev/begun': 'true' } },
  }));
  await w.put({
    ...{ apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSCluster' },
    metadata: { ...key, name: 'another', labels: LABELS, ownerReferences },
    spec: { region: 'eu-west-1', network: { vpc: { id: 'vpc-1' } } },
  } as KubeObject);
  await w.objects.delete(kinds.machinePool, KEY);

  expect((await readAwsPool(w.objects, w.input.pool))?.awsCluster?.metadata.name).toBe('red');
});

it('releases a pool whose kind is not served and that has no group any more', async () => {
  const w = await startedPool();
  await refer(w, ref('FooMachinePool'));
  await w.objects.mutate(kinds.awsMachinePool, KEY, ({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, finalizers: [], ownerReferences: [] },
  }));
  await w.objects.delete(kinds.machinePool, KEY);

  expect(await isStarted(w)).toBe(true);
  expect(await w.begin()).toMatchObject({ proceed: true, removal: true });
  await w.remove();
  expect(await left(w)).toEqual(['AWSMachinePool p']);
});

it('does not start executions for a pool that another system manages and holds', async () => {
  const w = await makeWorld();
  await refer(w, ref('FooMachinePool', 'p', 'example.com'));
  await w.objects.mutate(kinds.machinePool, KEY, ({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, finalizers: ['example.com/hold'] },
  }));
  await w.objects.delete(kinds.machinePool, KEY);

  expect(await isStarted(w)).toBe(false);
});
