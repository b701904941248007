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
import { DescribeVpcsCommand, RunInstancesCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import {
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  CreateTargetGroupCommand,
  DescribeTargetHealthCommand,
  ElasticLoadBalancingV2Client,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../../test-aws.ts';
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
  it('is listed with its reason, or refused if it is unknown', async () => {
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

  it('does not run until it is resumed', async () => {
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

  it('does not replace unhealthy instances', async () => {
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
  it('excludes protected instances, and terminates none if all are protected', async () => {
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

  it('keeps the zones balanced before it applies termination policies', async () => {
    const [zoneA, zoneB] = [await groups.subnets('us-east-1a'), await groups.subnets('us-east-1b')];
    await groups.create({ DesiredCapacity: 1, TerminationPolicies: ['OldestInstance'], VPCZoneIdentifier: zoneB });
    await groups.pass(1_000);
    await update({ DesiredCapacity: 3, VPCZoneIdentifier: zoneA });
    await groups.pass(500);
    await update({ DesiredCapacity: 2 });
    const [gone] =
      (await groups.group()).Instances?.filter(({ LifecycleState }) => LifecycleState !== 'InService') ?? [];
    expect(gone?.AvailabilityZone).toBe('us-east-1a');
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

  it('registers instances in service, and drains their connections before it terminates them', async () => {
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

  it('replaces instances that the load balancer reports as unhealthy, after the grace period', async () => {
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

  it('can get further target groups, and lose them', async () => {
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

describe('existing instances', () => {
  it('can be attached and detached', async () => {
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
