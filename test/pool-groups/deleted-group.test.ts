/** A group that was deleted outside Windlass. */
import { DeleteAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makePoolGroupSteps } from '../../functions/providers/aws/machine-pool/steps.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { silentLog } from '../../shared/log.ts';
import { readGroupMemory } from '../../shared/providers/aws/machine-pool/memory.ts';
import { settleCore, sweepPools } from './sweep.ts';
import { KEY, type PoolWorld, startPoolWorld } from './world.ts';

let world: PoolWorld;
beforeEach(async () => {
  world = await startPoolWorld();
  await settleCore(world);
});
afterEach(() => world.close());

const NAME = 'default.pool-0';

const deleteGroup = () =>
  world.autoScaling.send(new DeleteAutoScalingGroupCommand({ AutoScalingGroupName: NAME, ForceDelete: true }));

/** One check of the group as AWS shows it for a while: its instances are gone, but it is still being deleted. */
const lookAtEmpty = () => {
  const ports = world.dependencies.pools({} as never);
  const describe = async (names: readonly string[]) =>
    (await ports.groups.describe(names)).map((group) => ({ ...group, desired: 0, instances: [] }));
  const pools = () => ({ ...ports, groups: { ...ports.groups, describe } });
  return makePoolGroupSteps({ ...world.dependencies, pools }).reconcilePool(world.input, { log: silentLog });
};

const claim = async () => (await world.infrastructure()).status?.conditions?.find(({ type }) => type === 'ASGReady');

it('is awaited while it is being deleted, is reported, and is then created again', async () => {
  await deleteGroup();
  expect(await lookAtEmpty()).toMatchObject({ progress: 'wait' });
  expect(await claim()).toMatchObject({ status: 'False', severity: 'Warning', reason: 'ASGDeletionInProgress' });
  const { status } = await world.infrastructure();
  expect(status).toMatchObject({ ready: false, asgStatus: 'Delete in progress' });
  await world.pass(120);
  expect(await world.settle()).toMatchObject({ progress: 'done' });
  expect((await world.group(NAME))?.Instances).toHaveLength(2);
  expect(await claim()).toMatchObject({ status: 'True' });
});

it('is not recorded as settled while it is being deleted', async () => {
  await world.pass(601);
  await deleteGroup();
  const { settled: before } = readGroupMemory(await world.infrastructure());
  await lookAtEmpty();
  expect(readGroupMemory(await world.infrastructure()).settled).toEqual(before);
});

it('is found by the sweep although its pool is not ready', async () => {
  await deleteGroup();
  await lookAtEmpty();
  await world.pass(120);
  expect(await world.group(NAME)).toBeUndefined();
  expect(await sweepPools(world)).toEqual(['red']);
});

it('does not determine the replicas that another program manages', async () => {
  await world.changePool({}, { 'cluster.x-k8s.io/replicas-managed-by': 'external-autoscaler' });
  await world.settle();
  await deleteGroup();
  await lookAtEmpty();
  expect((await world.objects.get(kinds.machinePool, KEY))?.spec.replicas).toBe(2);
});
