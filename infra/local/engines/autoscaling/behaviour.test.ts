import {
  AttachInstancesCommand,
  AttachLoadBalancerTargetGroupsCommand,
  DescribeLoadBalancerTargetGroupsCommand,
  DescribeTrafficSourcesCommand,
  DetachInstancesCommand,
  DetachTrafficSourcesCommand,
  ResumeProcessesCommand,
  SetInstanceProtectionCommand,
  SuspendProcessesCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  CreateLaunchTemplateCommand,
  DescribeVpcsCommand,
  RunInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import {
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  CreateTargetGroupCommand,
  DescribeTargetHealthCommand,
  ElasticLoadBalancingV2Client,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../../test-aws.ts';
import { interruptSpot } from '../ec2/spot.ts';
import { useTestGroups } from './test-autoscaling.ts';

const groups = useTestGroups();
const AutoScalingGroupName = 'pool';
const update = (input: object) =>
  groups.client.send(new UpdateAutoScalingGroupCommand({ AutoScalingGroupName, ...input }));
const suspend = (...ScalingProcesses: string[]) =>
  groups.client.send(new SuspendProcessesCommand({ AutoScalingGroupName, ScalingProcesses }));
const resume = (...ScalingProcesses: string[]) =>
  groups.client.send(new ResumeProcessesCommand({ AutoScalingGroupName, ScalingProcesses }));

describe('a suspended process', () => {
  it('is shown with its reason, and refused where it is unknown', async () => {
    await groups.create();
    await suspend('Launch', 'AZRebalance');
    expect((await groups.group()).SuspendedProcesses).toEqual([
      { ProcessName: 'Launch', SuspensionReason: 'User suspended at 2026-11-20T10:00:00Z' },
      { ProcessName: 'AZRebalance', SuspensionReason: 'User suspended at 2026-11-20T10:00:00Z' },
    ]);
    await resume('Launch');
    expect((await groups.group()).SuspendedProcesses).toHaveLength(1);
    await suspend();
    expect((await groups.group()).SuspendedProcesses).toHaveLength(9);
    expect(await codeOf(suspend('Sleep'))).toBe('ValidationError');
  });

  it('is not done until it is resumed', async () => {
    await groups.create();
    await suspend('Launch', 'Terminate');
    await update({ DesiredCapacity: 1 });
    await groups.pass(1_000);
    expect(await groups.ids()).toEqual([]);
    await resume('Launch');
    await groups.pass(1_000);
    expect(await groups.ids('InService')).toHaveLength(1);
    await update({ DesiredCapacity: 0 });
    await groups.pass(1_000);
    expect(await groups.ids('InService')).toHaveLength(1);
    await resume('Terminate');
    await groups.pass(1_000);
    expect(await groups.ids()).toEqual([]);
  });

  it('leaves unhealthy instances in the group', async () => {
    await groups.create({ DesiredCapacity: 1 });
    await groups.pass(500);
    await suspend('ReplaceUnhealthy');
    await groups.ec2.send(new TerminateInstancesCommand({ InstanceIds: await groups.ids() }));
    await groups.pass(2_000);
    expect((await groups.group()).Instances).toMatchObject([
      { HealthStatus: 'Unhealthy', LifecycleState: 'InService' },
    ]);
  });
});

describe('the choice of an instance to terminate', () => {
  it('leaves protected instances, and nothing goes where all are', async () => {
    await groups.create({ DesiredCapacity: 2, NewInstancesProtectedFromScaleIn: true });
    await groups.pass(500);
    await update({ DesiredCapacity: 1 });
    expect(await groups.ids('InService')).toHaveLength(2);
    const [, second = ''] = await groups.ids();
    await groups.client.send(
      new SetInstanceProtectionCommand({ AutoScalingGroupName, InstanceIds: [second], ProtectedFromScaleIn: false }),
    );
    expect(await groups.ids('Terminating:Proceed')).toEqual([second]);
  });

  it('keeps the zones in balance before it looks at policies', async () => {
    await groups.create({ DesiredCapacity: 3, TerminationPolicies: ['NewestInstance'] });
    await groups.pass(500);
    const { Instances = [] } = await groups.group();
    const zones = Instances.map(({ AvailabilityZone }) => AvailabilityZone);
    const full = zones.find((zone) => zones.filter((one) => one === zone).length === 2);
    await update({ DesiredCapacity: 2 });
    const [gone] =
      (await groups.group()).Instances?.filter(({ LifecycleState }) => LifecycleState !== 'InService') ?? [];
    expect(gone?.AvailabilityZone).toBe(full);
  });

  it.each([
    ['OldestInstance', 0],
    ['NewestInstance', 2],
  ])('follows the policy %s', async (policy, index) => {
    await groups.create({ TerminationPolicies: [policy], VPCZoneIdentifier: await groups.subnets('us-east-1a') });
    for (const DesiredCapacity of [1, 2, 3]) {
      await update({ DesiredCapacity });
      await groups.pass(1_000);
    }
    const ids = await groups.ids();
    await update({ DesiredCapacity: 2 });
    expect(await groups.ids('Terminating:Proceed')).toEqual([ids[index]]);
  });
});

describe('a group with a target group', () => {
  const withTargets = async () => {
    const elb = new ElasticLoadBalancingV2Client(groups.test.client);
    const { Vpcs } = await groups.ec2.send(new DescribeVpcsCommand({}));
    const { TargetGroups } = await elb.send(
      new CreateTargetGroupCommand({ Name: 'web', Protocol: 'TCP', Port: 80, VpcId: Vpcs?.[0]?.VpcId }),
    );
    const TargetGroupArn = TargetGroups?.[0]?.TargetGroupArn ?? '';
    const Subnets = (await groups.subnets('us-east-1a')).split(',');
    const { LoadBalancers } = await elb.send(new CreateLoadBalancerCommand({ Name: 'web', Type: 'network', Subnets }));
    await elb.send(
      new CreateListenerCommand({
        LoadBalancerArn: LoadBalancers?.[0]?.LoadBalancerArn,
        ...{ Protocol: 'TCP', Port: 80, DefaultActions: [{ Type: 'forward', TargetGroupArn }] },
      }),
    );
    const targets = async () => {
      const { TargetHealthDescriptions = [] } = await elb.send(new DescribeTargetHealthCommand({ TargetGroupArn }));
      return TargetHealthDescriptions.map(({ Target, TargetHealth }) => [Target?.Id, TargetHealth?.State]);
    };
    return { TargetGroupArn, targets };
  };

  it('registers instances in service, and lets their connections drain before they go', async () => {
    const { TargetGroupArn, targets } = await withTargets();
    await groups.create({ DesiredCapacity: 1, TargetGroupARNs: [TargetGroupArn] });
    await groups.pass(500);
    const [id] = await groups.ids('InService');
    expect(await targets()).toEqual([[id, 'initial']]);
    await update({ DesiredCapacity: 0 });
    expect(await targets()).toEqual([[id, 'draining']]);
    expect(await groups.ids('Terminating')).toEqual([id]);
    expect((await groups.activities())[0]?.StatusCode).toBe('WaitingForELBConnectionDraining');
    await groups.pass(8_000);
    expect(await groups.ids()).toEqual([]);
  });

  it('replaces what the load balancer finds unhealthy, after the grace period', async () => {
    const { TargetGroupArn } = await withTargets();
    await groups.create({
      DesiredCapacity: 1,
      ...{ TargetGroupARNs: [TargetGroupArn], HealthCheckType: 'ELB', HealthCheckGracePeriod: 60 },
    });
    await groups.pass(30_000);
    const [id] = await groups.ids('InService');
    expect((await groups.group()).Instances?.[0]?.HealthStatus).toBe('Healthy');
    await groups.pass(45_000);
    expect(await groups.ids('InService')).not.toContain(id);
    expect((await groups.activities()).map(({ Cause }) => Cause)).toContainEqual(
      expect.stringMatching(/ELB system health check/),
    );
  });

  it('is given further target groups, and loses them', async () => {
    const { TargetGroupArn, targets } = await withTargets();
    await groups.create({ DesiredCapacity: 1 });
    await groups.pass(500);
    const TargetGroupARNs = [TargetGroupArn];
    await groups.client.send(new AttachLoadBalancerTargetGroupsCommand({ AutoScalingGroupName, TargetGroupARNs }));
    expect(await targets()).toHaveLength(1);
    const { LoadBalancerTargetGroups } = await groups.client.send(
      new DescribeLoadBalancerTargetGroupsCommand({ AutoScalingGroupName }),
    );
    expect(LoadBalancerTargetGroups).toEqual([{ LoadBalancerTargetGroupARN: TargetGroupArn, State: 'Added' }]);
    const TrafficSources = [{ Identifier: TargetGroupArn, Type: 'elbv2' }];
    await groups.client.send(new DetachTrafficSourcesCommand({ AutoScalingGroupName, TrafficSources }));
    const after = await groups.client.send(new DescribeTrafficSourcesCommand({ AutoScalingGroupName }));
    expect(after.TrafficSources).toEqual([]);
    expect((await targets())[0]?.[1]).toBe('draining');
  });
});

describe('a mixed instances policy', () => {
  const policy = (distribution: object, ...types: [string, string?][]) => ({
    LaunchTemplate: {
      LaunchTemplateSpecification: { LaunchTemplateName: 'workers', Version: '$Latest' },
      Overrides: types.map(([InstanceType, WeightedCapacity]) => ({ InstanceType, WeightedCapacity })),
    },
    InstancesDistribution: distribution,
  });
  const markets = async () => {
    const { Instances = [] } = await groups.group();
    const shown = await Promise.all(Instances.map(({ InstanceId = '' }) => groups.instance(InstanceId)));
    return shown.map(({ InstanceType, InstanceLifecycle }) => `${InstanceType} ${InstanceLifecycle ?? 'on-demand'}`);
  };

  it('launches the base on demand, and of the rest the percentage', async () => {
    const distribution = { OnDemandBaseCapacity: 1, OnDemandPercentageAboveBaseCapacity: 50 };
    const MixedInstancesPolicy = policy(
      { ...distribution, SpotAllocationStrategy: 'capacity-optimized' },
      ['t3.large'],
      ['m5.large'],
    );
    await groups.create({ DesiredCapacity: 5, MixedInstancesPolicy });
    expect((await markets()).toSorted()).toEqual([
      ...Array(3).fill('t3.large on-demand'),
      ...Array(2).fill('t3.large spot'),
    ]);
    expect((await groups.group()).MixedInstancesPolicy?.InstancesDistribution).toMatchObject({
      ...distribution,
      OnDemandAllocationStrategy: 'prioritized',
    });
  });

  it('takes turns among the cheapest pools, and goes on to the next type where one has no capacity', async () => {
    const none = { OnDemandPercentageAboveBaseCapacity: 0 };
    await groups.create({
      DesiredCapacity: 3,
      MixedInstancesPolicy: policy(none, ['t3.large'], ['m5.large'], ['c5.large']),
    });
    expect(await markets()).toEqual(['t3.large spot', 'm5.large spot', 't3.large spot']);
    groups.test.account.settings.capacityGaps = [{ instanceType: 't3.large' }, { instanceType: 'm5.large' }];
    await update({ DesiredCapacity: 4 });
    expect((await markets()).at(-1)).toBe('c5.large spot');
  });

  it('counts weights', async () => {
    await groups.create({
      DesiredCapacity: 6,
      MixedInstancesPolicy: policy({}, ['t3.2xlarge', '4'], ['t3.xlarge', '2']),
    });
    const { Instances = [] } = await groups.group();
    expect(Instances.map(({ WeightedCapacity }) => WeightedCapacity)).toEqual(['4', '4']);
  });

  it('is refused with a template that asks for spot instances itself', async () => {
    await groups.ec2.send(
      new CreateLaunchTemplateCommand({
        LaunchTemplateName: 'spot',
        LaunchTemplateData: { InstanceMarketOptions: { MarketType: 'spot' } },
      }),
    );
    const MixedInstancesPolicy = { LaunchTemplate: { LaunchTemplateSpecification: { LaunchTemplateName: 'spot' } } };
    expect(await codeOf(groups.create({ MixedInstancesPolicy }))).toBe('ValidationError');
  });

  it.each([
    { SpotAllocationStrategy: 'cheapest' },
    { OnDemandPercentageAboveBaseCapacity: 101 },
    { SpotAllocationStrategy: 'capacity-optimized', SpotInstancePools: 3 },
  ])('is refused with %j', async (distribution) => {
    const MixedInstancesPolicy = policy(distribution, ['t3.large']);
    expect(await codeOf(groups.create({ MixedInstancesPolicy }))).toBe('ValidationError');
  });

  it('replaces a spot instance at risk before it is terminated, where the group asks for it', async () => {
    const MixedInstancesPolicy = policy({ OnDemandPercentageAboveBaseCapacity: 0 }, ['t3.large']);
    await groups.create({ DesiredCapacity: 1, CapacityRebalance: true, MixedInstancesPolicy });
    await groups.pass(500);
    const [id = ''] = await groups.ids('InService');
    const ec2 = groups.test.account.ec2();
    interruptSpot(ec2, ec2.instances.get(id), 600_000);
    await groups.pass(500);
    expect(await groups.ids()).toHaveLength(2);
    expect(await groups.ids('InService')).toEqual([id]);
    await groups.pass(2_000);
    const after = await groups.ids('InService');
    expect(after).toHaveLength(1);
    expect(after).not.toContain(id);
  });
});

describe('instances that exist', () => {
  it('are attached and detached', async () => {
    await groups.create({ MinSize: 1, DesiredCapacity: 1 });
    await groups.pass(500);
    const SubnetId = (await groups.subnets('us-east-1a')).split(',')[0];
    const LaunchTemplate = { LaunchTemplateName: 'workers' };
    const { Instances = [] } = await groups.ec2.send(
      new RunInstancesCommand({ MinCount: 1, MaxCount: 1, SubnetId, LaunchTemplate }),
    );
    const InstanceIds = [Instances[0]?.InstanceId ?? ''];
    const attach = () => groups.client.send(new AttachInstancesCommand({ AutoScalingGroupName, InstanceIds }));
    expect(await codeOf(attach())).toBe('ValidationError');
    await groups.pass(500);
    await attach();
    expect(await groups.group()).toMatchObject({ DesiredCapacity: 2 });
    expect(await groups.ids('InService')).toContain(InstanceIds[0]);
    const { Activities } = await groups.client.send(
      new DetachInstancesCommand({ AutoScalingGroupName, InstanceIds, ShouldDecrementDesiredCapacity: true }),
    );
    expect(Activities?.[0]?.StatusCode).toBe('Successful');
    expect(await groups.ids()).not.toContain(InstanceIds[0]);
    expect((await groups.instance(InstanceIds[0] ?? '')).State?.Name).toBe('running');
  });
});
