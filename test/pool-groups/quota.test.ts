import { afterEach, beforeEach, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { settleCore, sweepPools } from './sweep.ts';
import { KEY, type PoolWorld, startPoolWorld } from './world.ts';

/** An editor gives a MachinePool more replicas than the quota for Machines allows. */

const MACHINES = 'count/machines.cluster.x-k8s.io';

let world: PoolWorld;
beforeEach(async () => {
  world = await startPoolWorld({ minSize: 0, maxSize: 1000 });
});
afterEach(() => world.close());

/** A quota with its usage, as it is read. */
const limit = async (hard: number, used: number): Promise<void> => {
  const metadata = { name: 'small', namespace: 'default' };
  const status = { hard: { [MACHINES]: String(hard) }, used: { [MACHINES]: String(used) } };
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard: status.hard } };
  await world.objects.ensure(kinds.resourceQuota, quota as KubeObject as never);
  await world.objects.mutate(kinds.resourceQuota, metadata, (current) => ({ ...current, status }));
};
const sizes = async () => {
  const { MinSize, MaxSize, DesiredCapacity } = (await world.group()) ?? {};
  return { MinSize, MaxSize, DesiredCapacity };
};
const problem = async () =>
  (await world.infrastructure()).status?.conditions?.find(({ type }) => type === 'ASGReady')?.message;

it('a group gets only as many instances as the quota allows Machines, and the pool reports why', async () => {
  await limit(3, 0);
  await world.changePool({ replicas: 1000 });
  await world.changeInfrastructure({ minSize: 1000 });
  await world.settle();
  expect(await sizes()).toEqual({ MinSize: 3, MaxSize: 1000, DesiredCapacity: 3 });
  expect(await problem()).toBe(
    `The group lacks 997 instances: exceeded quota: small, used: ${MACHINES}=0, limited: ${MACHINES}=3; raise the quota or delete unneeded objects`,
  );
  const events = await world.objects.list(kinds.event, 'default');
  expect(events.filter(({ reason }) => reason === 'FailedCreate')).toHaveLength(1);

  await limit(2000, 3);
  await world.changePool({ replicas: 5 });
  await world.changeInfrastructure({ minSize: 0 });
  await world.settle();
  expect(await sizes()).toMatchObject({ DesiredCapacity: 5 });
  expect(await problem()).toBeUndefined();
});

it('a quota that is used up does not remove existing instances', async () => {
  await world.settle();
  await limit(1, 1);
  await world.changePool({ replicas: 4 });
  await world.settle();
  expect(await sizes()).toMatchObject({ DesiredCapacity: 2 });
  await world.changePool({ replicas: 1 });
  await world.settle();
  expect(await sizes()).toMatchObject({ DesiredCapacity: 1 });
});

it('a program that manages the replicas is limited by the quota', async () => {
  await limit(4, 0);
  const managed = { 'cluster.x-k8s.io/replicas-managed-by': 'external-autoscaler' };
  await world.changePool({ replicas: 2 }, managed);
  await world.settle();
  expect(await sizes()).toMatchObject({ MaxSize: 4, DesiredCapacity: 2 });
});

it('a warm pool is limited by the quota', async () => {
  await limit(3, 0);
  await world.changeInfrastructure({}, { 'windlass.dev/warm-pool': JSON.stringify({ minSize: 50 }) });
  await world.settle();
  const { groups } = world.dependencies.pools({} as never);
  const [group] = await groups.describe(['default.pool-0']);
  expect(group?.warm).toMatchObject({ minSize: 1, maxPrepared: 3 });
  expect((await world.objects.get(kinds.awsMachinePool, KEY))?.status?.ready).toBe(true);
});

it('the sweep requests a pass over a group that a quota limits only when the quota has room', async () => {
  await limit(3, 0);
  await world.changePool({ replicas: 9 });
  await settleCore(world);
  expect(await sweepPools(world)).toEqual([]);

  await limit(5, 0);
  expect(await sweepPools(world)).toEqual(['red']);
  await settleCore(world);
  expect(await sizes()).toMatchObject({ DesiredCapacity: 5 });
  expect(await sweepPools(world)).toEqual([]);
});
