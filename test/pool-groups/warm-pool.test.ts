/** The warm pool of a group, over the simulated account. */
import {
  DescribeWarmPoolCommand,
  PutWarmPoolCommand,
  SetDesiredCapacityCommand,
  type WarmPoolConfiguration,
} from '@aws-sdk/client-auto-scaling';
import { afterEach, describe, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { KEY, type PoolWorld, startPoolWorld } from './world.ts';

const WARM = 'windlass.dev/warm-pool';
const NAME = { AutoScalingGroupName: 'default.pool-0' };

let world: PoolWorld;
afterEach(() => world?.close());

const ask = (wish: object) => world.changeInfrastructure({}, { [WARM]: JSON.stringify(wish) });

const withoutWish = async () => {
  await world.objects.mutate(kinds.awsMachinePool, KEY, ({ metadata, ...current }) => {
    const { [WARM]: _, ...annotations } = metadata.annotations ?? {};
    return { ...current, metadata: { ...metadata, annotations } } as typeof current & { metadata: typeof metadata };
  });
};

const start = async (wish: object): Promise<void> => {
  world = await startPoolWorld({}, 0.02);
  await ask(wish);
  await world.settle();
};

const warm = async () => {
  const { Instances = [], WarmPoolConfiguration: configuration } = await world.autoScaling.send(
    new DescribeWarmPoolCommand(NAME),
  );
  return { instances: Instances, configuration };
};
const states = async () => (await warm()).instances.map(({ LifecycleState }) => LifecycleState);
const configuration = async (): Promise<WarmPoolConfiguration | undefined> => (await warm()).configuration;

const isPrepared = async (count: number): Promise<void> => {
  for (let seconds = 0; seconds < 900; seconds += 20) {
    const found = await states();
    if (found.length === count && found.every((state) => state === 'Warmed:Stopped')) return;
    await world.pass(20);
  }
  throw new Error(`the warm pool has ${await states()}`);
};

const capacity = async (DesiredCapacity: number) => {
  await world.autoScaling.send(new SetDesiredCapacityCommand({ ...NAME, DesiredCapacity }));
};

const hookNames = async () => {
  const { groups } = world.dependencies.pools({} as never);
  return (await groups.hooks('default.pool-0')).map(({ LifecycleHookName }) => LifecycleHookName).sort();
};

describe('a warm pool', () => {
  it('is created as the annotation says, with a hook that gives its instances time to prepare', async () => {
    await start({ minSize: 1, maxGroupPreparedCapacity: 4 });
    expect(await configuration()).toMatchObject({ MinSize: 1, MaxGroupPreparedCapacity: 4, PoolState: 'Stopped' });
    expect(await hookNames()).toEqual(['windlass-drain', 'windlass-prepare']);
    await isPrepared(2);
  });

  it('adds no Machines and no replicas to the pool', async () => {
    await start({ maxGroupPreparedCapacity: 3 });
    await isPrepared(1);
    await world.settle();
    const [{ InstanceId = '' } = {}] = (await warm()).instances;
    expect((await world.infrastructure()).status?.replicas).toBe(2);
    expect((await world.machines()).map(({ spec }) => spec.instanceID)).not.toContain(InstanceId);
  });

  it('gives the group a prepared instance as soon as the group grows, without waiting for the hook', async () => {
    await start({ minSize: 1, maxGroupPreparedCapacity: 3, preparationSeconds: 600 });
    await isPrepared(1);
    const [{ InstanceId = '' } = {}] = (await warm()).instances;
    await world.changePool({ replicas: 3 });
    const before = world.aws.clock.now().getTime();
    await world.settle();
    expect(world.aws.clock.now().getTime() - before).toBeLessThan(300_000);
    const members = (await world.group())?.Instances ?? [];
    expect(members.find((one) => one.InstanceId === InstanceId)?.LifecycleState).toBe('InService');
    expect((await world.machines()).map(({ spec }) => spec.instanceID)).toContain(InstanceId);
  });

  it('immediately terminates instances that it no longer needs, because they have no nodes', async () => {
    await start({ maxGroupPreparedCapacity: 4 });
    await isPrepared(2);
    await world.changePool({ replicas: 4 });
    await world.settle();
    await world.pass(5);
    await world.settle();
    await world.pass(5);
    expect(await states()).toEqual([]);
  });

  it('gets new instances when the bootstrap data changes, so that no token in them expires', async () => {
    await start({ maxGroupPreparedCapacity: 3 });
    await isPrepared(1);
    const before = await warm();
    const running = (await world.group())?.Instances?.map(({ InstanceId }) => InstanceId).sort();
    await world.renewData('#cloud-config\n# another token\n');
    await world.settle();
    await isPrepared(1);
    const after = await warm();
    expect(after.instances[0]?.InstanceId).not.toBe(before.instances[0]?.InstanceId);
    expect(after.instances[0]?.LaunchTemplate?.Version).toBe('2');
    expect((await world.group())?.Instances?.map(({ InstanceId }) => InstanceId).sort()).toEqual(running);
  });

  it('is changed in place, and deleted with its annotation', async () => {
    await start({ maxGroupPreparedCapacity: 3 });
    await isPrepared(1);
    const [{ InstanceId: kept } = {}] = (await warm()).instances;
    await ask({ maxGroupPreparedCapacity: 4 });
    await world.settle();
    await isPrepared(2);
    expect((await warm()).instances.map(({ InstanceId }) => InstanceId)).toContain(kept);
    await withoutWish();
    await world.settle();
    expect(await warm()).toMatchObject({ instances: [], configuration: undefined });
    expect(await hookNames()).toEqual(['windlass-drain']);
  });

  it('that Windlass did not create is left alone', async () => {
    world = await startPoolWorld({}, 0.02);
    await world.settle();
    await world.autoScaling.send(new PutWarmPoolCommand({ ...NAME, MinSize: 1 }));
    await world.pass(700);
    await world.settle();
    expect(await configuration()).toMatchObject({ MinSize: 1 });
  });

  it('is deleted with its pool', async () => {
    await start({ maxGroupPreparedCapacity: 4 });
    await isPrepared(2);
    await world.remove();
    expect(await world.group()).toBeUndefined();
  });

  it('causes only reads when nothing changes', async () => {
    await start({ maxGroupPreparedCapacity: 3 });
    await isPrepared(1);
    await world.settle();
    const calls = await world.callsOf(() => world.settle());
    expect(calls.filter((call) => !/Describe/.test(call))).toEqual([]);
    expect(calls).toContain('autoscaling:DescribeWarmPool');
  });

  it('is checked less and less often while another hook holds an instance that the group takes in', async () => {
    world = await startPoolWorld();
    await ask({ minSize: 1, maxGroupPreparedCapacity: 3, preparationSeconds: 60 });
    await world.settle();
    await isPrepared(1);
    const mine = { name: 'mine', lifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING', heartbeatTimeout: '2h' };
    await world.changeInfrastructure({ lifecycleHooks: [mine] });
    await world.settle();
    await world.changePool({ replicas: 3 });
    const before = world.aws.clock.now().getTime();
    expect(await world.settle()).toMatchObject({ progress: 'done' });
    expect(world.aws.clock.now().getTime() - before).toBeGreaterThan(3_500_000);
    expect((await world.group())?.Instances?.map(({ LifecycleState }) => LifecycleState)).toContain('Pending:Wait');
  });

  it('is refilled after a scale-out by others', async () => {
    await start({ minSize: 1, maxGroupPreparedCapacity: 3 });
    await world.changePool({}, { 'cluster.x-k8s.io/replicas-managed-by': 'autoscaler' });
    await isPrepared(1);
    await capacity(3);
    await world.settle();
    await isPrepared(1);
    expect((await world.group())?.Instances).toHaveLength(3);
  });
});
