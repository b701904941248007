import {
  DeleteAutoScalingGroupCommand,
  DeleteLifecycleHookCommand,
  DescribeLifecycleHooksCommand,
  PutLifecycleHookCommand,
  PutWarmPoolCommand,
  SetDesiredCapacityCommand,
  SuspendProcessesCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { DeleteLaunchTemplateCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { afterEach, describe, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { reconciledDigest } from '../../shared/plan/pools/digest.ts';
import { settleCore, sweepPools } from './sweep.ts';
import { KEY, type PoolWorld, startPoolWorld } from './world.ts';

let world: PoolWorld;
afterEach(() => world?.close());

const settle = (): Promise<void> => settleCore(world);

/** `inTurn`: whether it is the cluster's turn for a detailed check. */
const sweep = (inTurn = false): Promise<string[]> => sweepPools(world, inTurn);

const group = async () => ({ AutoScalingGroupName: (await world.group())?.AutoScalingGroupName });

const hooks = async () => {
  const { LifecycleHooks = [] } = await world.autoScaling.send(new DescribeLifecycleHooksCommand(await group()));
  return LifecycleHooks.map(({ LifecycleHookName }) => LifecycleHookName);
};

const [ONE, ANOTHER] = ['us-east-1a', 'us-east-1b'];
const inZone = (zone: string | undefined) => ({
  filters: [
    { name: 'availability-zone', values: [zone ?? ''] },
    { name: 'default-for-az', values: ['true'] },
  ],
});

/** Changes that a listing does not show, with a check of their repair. */
const HIDDEN: readonly [string, () => Promise<unknown>, () => Promise<unknown>][] = [
  [
    'a lifecycle hook',
    async () =>
      world.autoScaling.send(
        new DeleteLifecycleHookCommand({ ...(await group()), LifecycleHookName: 'windlass-drain' }),
      ),
    async () => expect(await hooks()).toEqual(['windlass-drain']),
  ],
  [
    'the time of a lifecycle hook',
    async () =>
      world.autoScaling.send(
        new PutLifecycleHookCommand({
          ...{ ...(await group()), LifecycleHookName: 'windlass-drain', HeartbeatTimeout: 60 },
          LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
        }),
      ),
    async () => {},
  ],
  [
    'hooks, by one of their own',
    async () =>
      world.autoScaling.send(
        new PutLifecycleHookCommand({
          ...{ ...(await group()), LifecycleHookName: 'of-others' },
          LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
        }),
      ),
    async () => expect(await hooks()).toEqual(['windlass-drain']),
  ],
  [
    'the subnets that filters find',
    async () => {
      const { VPCZoneIdentifier: before } = (await world.group()) ?? {};
      const found = await world.dependencies
        .pools({} as never)
        .ec2.subnets([{ name: 'availability-zone', values: [ANOTHER ?? ''] }]);
      const VPCZoneIdentifier = found[0]?.id;
      expect(VPCZoneIdentifier).not.toBe(before);
      await world.autoScaling.send(new UpdateAutoScalingGroupCommand({ ...(await group()), VPCZoneIdentifier }));
    },
    async () => expect((await world.group())?.AvailabilityZones).toEqual([ONE]),
  ],
];

const CHANGES: readonly [string, () => Promise<unknown>][] = [
  [
    'the subnets',
    async () => {
      const [first] = ((await world.group())?.VPCZoneIdentifier ?? '').split(',');
      await world.autoScaling.send(
        new UpdateAutoScalingGroupCommand({ ...(await group()), VPCZoneIdentifier: first ?? '' }),
      );
    },
  ],
  ['a size', async () => world.autoScaling.send(new UpdateAutoScalingGroupCommand({ ...(await group()), MaxSize: 9 }))],
  [
    'the number of instances',
    async () => world.autoScaling.send(new SetDesiredCapacityCommand({ ...(await group()), DesiredCapacity: 3 })),
  ],
  [
    'the processes',
    async () =>
      world.autoScaling.send(new SuspendProcessesCommand({ ...(await group()), ScalingProcesses: ['Launch'] })),
  ],
  [
    'the group itself',
    async () => {
      await world.autoScaling.send(new DeleteAutoScalingGroupCommand({ ...(await group()), ForceDelete: true }));
      await world.pass(60);
    },
  ],
  [
    'the template',
    async () =>
      world.ec2.send(new DeleteLaunchTemplateCommand({ LaunchTemplateName: (await group()).AutoScalingGroupName })),
  ],
  [
    'an instance',
    async () => {
      const [instance] = (await world.group())?.Instances ?? [];
      await world.ec2.send(new TerminateInstancesCommand({ InstanceIds: [instance?.InstanceId ?? ''] }));
      await world.pass(120);
    },
  ],
];

describe('the detailed check of a cluster in the sweep', () => {
  it('reads the hooks and the filtered subnets of its pools, and requests nothing if they are unchanged', async () => {
    world = await startPoolWorld({ subnets: [inZone(ONE)] });
    await settle();
    const calls = await world.callsOf(async () => expect(await sweep(true)).toEqual([]));
    expect(calls.sort()).toEqual([
      'autoscaling:DescribeAutoScalingGroups',
      'autoscaling:DescribeLifecycleHooks',
      'ec2:DescribeLaunchTemplates',
      'ec2:DescribeSubnets',
    ]);
  });

  it.each(HIDDEN)('finds outside changes of %s, and the pool is repaired', async (_, change, isRepaired) => {
    world = await startPoolWorld({ subnets: [inZone(ONE)] });
    await settle();
    await change();
    expect(await sweep()).toEqual([]);
    expect(await sweep(true)).toEqual(['red']);
    await settle();
    await isRepaired();
    expect(await sweep(true)).toEqual([]);
  });
});

describe('the sweep', () => {
  it('finds outside changes of the warm pool, and the pool is repaired', async () => {
    world = await startPoolWorld();
    await world.changeInfrastructure({}, { 'windlass.dev/warm-pool': '{"minSize":1}' });
    await settle();
    expect(await sweep()).toEqual([]);
    await world.autoScaling.send(
      new PutWarmPoolCommand({ ...(await group()), MinSize: 2, InstanceReusePolicy: { ReuseOnScaleIn: true } }),
    );
    expect(await sweep()).toEqual(['red']);
    await settle();
    const { MinSize, InstanceReusePolicy = {} } = (await world.group())?.WarmPoolConfiguration ?? {};
    expect([MinSize, InstanceReusePolicy.ReuseOnScaleIn === true]).toEqual([1, false]);
    expect(await sweep()).toEqual([]);
  });

  it('checks a pool by two calls, and requests nothing if it is unchanged', async () => {
    world = await startPoolWorld();
    await settle();
    let found: string[] = [];
    const calls = await world.callsOf(async () => {
      found = await sweep();
    });
    expect(found).toEqual([]);
    expect(calls.sort()).toEqual(['autoscaling:DescribeAutoScalingGroups', 'ec2:DescribeLaunchTemplates']);
  });

  it('does not call AWS if there is no pool, and requests no pass over an unchanged one', async () => {
    world = await startPoolWorld();
    await world.settle();
    expect(await sweep()).toEqual([]);
    await world.objects.mutate(kinds.machinePool, KEY, (pool) => ({
      ...pool,
      metadata: { ...pool.metadata, finalizers: [] },
    }));
    await world.objects.delete(kinds.machinePool, KEY);
    expect(await world.callsOf(() => sweep(true))).toEqual([]);
  });

  it.each(CHANGES)('finds outside changes of %s, and the pool is repaired', async (_, change) => {
    world = await startPoolWorld();
    await settle();
    await change();
    expect(await sweep()).toEqual(['red']);
    expect(reconciledDigest(await world.infrastructure())).toBeUndefined();
    await settle();
    expect(await world.group()).toMatchObject({ MaxSize: 5, DesiredCapacity: 2, SuspendedProcesses: [] });
    expect(await sweep()).toEqual([]);
  });
});
