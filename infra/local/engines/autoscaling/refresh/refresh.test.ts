import {
  CancelInstanceRefreshCommand,
  DescribeInstanceRefreshesCommand,
  RollbackInstanceRefreshCommand,
  SetInstanceProtectionCommand,
  StartInstanceRefreshCommand,
  type StartInstanceRefreshCommandInput,
} from '@aws-sdk/client-auto-scaling';
import { CreateLaunchTemplateVersionCommand } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../../../test-aws.ts';
import { useTestGroups } from '../test-autoscaling.ts';

const groups = useTestGroups();
const AutoScalingGroupName = 'pool';
const LATEST = { LaunchTemplate: { LaunchTemplateName: 'workers', Version: '$Latest' } };

const addVersion = () =>
  groups.ec2.send(
    new CreateLaunchTemplateVersionCommand({
      ...{ LaunchTemplateName: 'workers', SourceVersion: '1' },
      LaunchTemplateData: { InstanceType: 't3.small' },
    }),
  );
const start = (input: Partial<StartInstanceRefreshCommandInput> = {}) =>
  groups.client.send(new StartInstanceRefreshCommand({ AutoScalingGroupName, ...input }));
const refresh = async () => {
  const answer = await groups.client.send(new DescribeInstanceRefreshesCommand({ AutoScalingGroupName }));
  return answer.InstanceRefreshes?.[0] ?? {};
};
const versions = async (state?: string) =>
  ((await groups.group()).Instances ?? [])
    .filter(({ LifecycleState }) => state === undefined || LifecycleState === state)
    .map(({ LaunchTemplate }) => LaunchTemplate?.Version)
    .toSorted();
const typesOf = (prefix: string) =>
  groups.events
    .map((event) => event['detail-type'])
    .filter((type) => type.startsWith(prefix))
    .map((type) => type.slice(prefix.length + 1));

/** The group with this number of instances of version 1, while version 2 is the latest. */
const outdated = async (DesiredCapacity: number, more: object = LATEST) => {
  await groups.create({ DesiredCapacity, DefaultInstanceWarmup: 10, ...more });
  await groups.pass(500);
  await addVersion();
};

/** The fewest instances in service and the most instances, until the refresh ends. */
const watch = async (milliseconds: number) => {
  let [fewest, most] = [Infinity, 0];
  for (let passed = 0; passed < milliseconds; passed += 500) {
    fewest = Math.min(fewest, (await groups.ids('InService')).length);
    const active = (await groups.group()).Instances?.filter((one) => !one.LifecycleState?.startsWith('Terminat')) ?? [];
    most = Math.max(most, active.length);
    await groups.pass(500);
  }
  return { fewest, most };
};

describe('an instance refresh', () => {
  it('replaces one instance after another, each when the previous one has warmed up', async () => {
    await outdated(3);
    const { InstanceRefreshId } = await start();
    expect(await refresh()).toMatchObject({
      ...{ InstanceRefreshId, Status: 'InProgress', PercentageComplete: 0, InstancesToUpdate: 3 },
      Preferences: { MinHealthyPercentage: 90, InstanceWarmup: 10, SkipMatching: false },
    });
    expect(await watch(11_500)).toEqual({ fewest: 2, most: 3 });
    expect(await refresh()).toMatchObject({ Status: 'InProgress', PercentageComplete: 33, InstancesToUpdate: 2 });
    await groups.pass(25_000);
    expect(await refresh()).toMatchObject({ Status: 'Successful', PercentageComplete: 100, InstancesToUpdate: 0 });
    expect(await versions()).toEqual(['2', '2', '2']);
    expect(typesOf('EC2 Auto Scaling Instance Refresh')).toEqual(['Started', 'Succeeded']);
  });

  it('replaces as many instances at a time as the minimum allows', async () => {
    await outdated(4);
    await start({ Preferences: { MinHealthyPercentage: 50 } });
    expect(await groups.ids('InService')).toHaveLength(2);
    await groups.pass(25_000);
    expect(await refresh()).toMatchObject({ Status: 'Successful' });
  });

  it('launches instances before it terminates others if the maximum allows it', async () => {
    await outdated(2);
    await start({ Preferences: { MinHealthyPercentage: 100, MaxHealthyPercentage: 150 } });
    expect(await watch(30_000)).toEqual({ fewest: 2, most: 3 });
    expect(await refresh()).toMatchObject({ Status: 'Successful' });
    expect(await versions()).toEqual(['2', '2']);
  });

  it('launches an additional instance even if the specified maximum leaves no room', async () => {
    await outdated(1);
    await start({ Preferences: { MinHealthyPercentage: 100, MaxHealthyPercentage: 100 } });
    expect(await watch(15_000)).toEqual({ fewest: 1, most: 2 });
    expect(await versions()).toEqual(['2']);
  });

  it('follows the maintenance policy of the group', async () => {
    const InstanceMaintenancePolicy = { MinHealthyPercentage: 100, MaxHealthyPercentage: 200 };
    await outdated(1, { ...LATEST, InstanceMaintenancePolicy });
    await start();
    expect((await refresh()).Preferences).toMatchObject(InstanceMaintenancePolicy);
    expect(await watch(15_000)).toEqual({ fewest: 1, most: 2 });
  });

  it('skips matching instances', async () => {
    await outdated(1);
    await start();
    await groups.pass(15_000);
    await start({ Preferences: { SkipMatching: true } });
    expect(await refresh()).toMatchObject({ Status: 'Successful', PercentageComplete: 100 });
    expect(await groups.ids('InService')).toHaveLength(1);
  });

  it.each([{}, { MinHealthyPercentage: 100, MaxHealthyPercentage: 150 }])(
    'pauses at checkpoints, with %j',
    async (more) => {
      await outdated(2);
      await start({ Preferences: { CheckpointPercentages: [50, 100], CheckpointDelay: 60, ...more } });
      await groups.pass(30_000);
      expect(await refresh()).toMatchObject({ PercentageComplete: 50, Status: 'InProgress' });
      expect(await versions()).toEqual(['1', '2']);
      expect(typesOf('EC2 Auto Scaling Instance Refresh')).toContain('Checkpoint Reached');
      await groups.pass(60_000);
      expect(await refresh()).toMatchObject({ Status: 'Successful' });
    },
  );

  it('waits for protected instances, ignores them or replaces them', async () => {
    await outdated(1);
    const InstanceIds = await groups.ids();
    const protect = () =>
      groups.client.send(
        new SetInstanceProtectionCommand({ AutoScalingGroupName, InstanceIds, ProtectedFromScaleIn: true }),
      );
    await protect();
    await start();
    await groups.pass(20_000);
    expect(await versions()).toEqual(['1']);
    await groups.client.send(new CancelInstanceRefreshCommand({ AutoScalingGroupName }));
    await start({ Preferences: { ScaleInProtectedInstances: 'Ignore' } });
    expect(await refresh()).toMatchObject({ Status: 'Successful' });
    expect(await versions()).toEqual(['1']);
    await start({ Preferences: { ScaleInProtectedInstances: 'Refresh' } });
    await groups.pass(15_000);
    expect(await versions()).toEqual(['2']);
  });

  it('can be cancelled, and keeps the new instances', async () => {
    await outdated(2);
    await start();
    await groups.pass(5_000);
    await groups.client.send(new CancelInstanceRefreshCommand({ AutoScalingGroupName }));
    await groups.pass(2_000);
    expect(await refresh()).toMatchObject({ Status: 'Cancelled', EndTime: expect.any(Date) });
    await groups.pass(30_000);
    expect(await versions()).toEqual(['1', '2']);
    const again = groups.client.send(new CancelInstanceRefreshCommand({ AutoScalingGroupName }));
    expect(await codeOf(again)).toBe('ActiveInstanceRefreshNotFoundFault');
  });

  it('waits for its bake time at the end', async () => {
    await outdated(1);
    await start({ Preferences: { BakeTime: 60 } });
    await groups.pass(15_000);
    expect((await refresh()).Status).toBe('Baking');
    await groups.pass(60_000);
    expect((await refresh()).Status).toBe('Successful');
  });

  it.each([
    { MinHealthyPercentage: 101 },
    { MaxHealthyPercentage: 150 },
    { MinHealthyPercentage: 10, MaxHealthyPercentage: 150 },
    { CheckpointPercentages: [50, 20] },
    { CheckpointDelay: 60 },
    { AutoRollback: true },
  ])('is refused with %j', async (Preferences) => {
    await groups.create();
    expect(await codeOf(start({ Preferences }))).toBe('ValidationError');
  });

  it('is refused while another one is in progress', async () => {
    await outdated(1);
    await start();
    expect(await codeOf(start())).toBe('InstanceRefreshInProgressFault');
  });
});

describe('an instance refresh with a desired configuration', () => {
  const FIRST = { LaunchTemplate: { LaunchTemplateName: 'workers', Version: '1' } };
  const DesiredConfiguration = { LaunchTemplate: { LaunchTemplateName: 'workers', Version: '2' } };

  it('changes the group after it succeeds', async () => {
    await outdated(1, FIRST);
    await start({ DesiredConfiguration });
    expect((await groups.group()).LaunchTemplate?.Version).toBe('1');
    await groups.pass(15_000);
    expect((await groups.group()).LaunchTemplate?.Version).toBe('2');
    expect(await versions()).toEqual(['2']);
  });

  it('can be rolled back', async () => {
    await outdated(2, FIRST);
    await start({ DesiredConfiguration });
    await groups.pass(11_500);
    expect(await versions('InService')).toContain('2');
    await groups.client.send(new RollbackInstanceRefreshCommand({ AutoScalingGroupName }));
    await groups.pass(45_000);
    expect(await refresh()).toMatchObject({
      Status: 'RollbackSuccessful',
      RollbackDetails: { PercentageCompleteOnRollback: 50, InstancesToUpdateOnRollback: 1 },
    });
    expect(await versions()).toEqual(['1', '1']);
    expect((await groups.group()).LaunchTemplate?.Version).toBe('1');
  });

  it.each([
    [false, 'Failed', '1'],
    [true, 'RollbackSuccessful', '1'],
  ])('fails after an hour without progress, with AutoRollback %s', async (AutoRollback, Status, version) => {
    await outdated(1, FIRST);
    groups.test.account.settings.autoScalingTimeScale = 0.01;
    groups.test.account.settings.capacityGaps = [{ instanceType: 't3.small' }];
    await start({ DesiredConfiguration, Preferences: { AutoRollback } });
    await groups.pass(40_000);
    groups.test.account.settings.capacityGaps = [];
    await groups.pass(5_000);
    expect(await refresh()).toMatchObject({ Status });
    expect(await versions('InService')).toEqual([version]);
  });
});
