import {
  DeleteAutoScalingGroupCommand,
  DescribeAccountLimitsCommand,
  DescribeAutoScalingGroupsCommand,
  type DescribeAutoScalingGroupsCommandInput,
  SetDesiredCapacityCommand,
  SetInstanceHealthCommand,
  TerminateInstanceInAutoScalingGroupCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  CreateLaunchTemplateCommand,
  CreateLaunchTemplateVersionCommand,
  CreateSubnetCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../../test-aws.ts';
import { useTestGroups } from './test-autoscaling.ts';

const groups = useTestGroups();
const AutoScalingGroupName = 'pool';

const update = (input: object) =>
  groups.client.send(new UpdateAutoScalingGroupCommand({ AutoScalingGroupName, ...input }));
const remove = (ForceDelete = false) =>
  groups.client.send(new DeleteAutoScalingGroupCommand({ AutoScalingGroupName, ForceDelete }));
const messageOf = (call: Promise<unknown>) => call.then(String, (error: Error) => error.message);
const tagsOf = async (id: string) =>
  Object.fromEntries(((await groups.instance(id)).Tags ?? []).map(({ Key, Value }) => [Key, Value]));

describe('a new group', () => {
  it('launches its desired capacity, balanced across its zones', async () => {
    await groups.create({ DesiredCapacity: 4 });
    expect((await groups.group()).Instances?.map(({ LifecycleState }) => LifecycleState)).toEqual(
      Array(4).fill('Pending'),
    );
    await groups.pass(500);
    const { Instances = [], DesiredCapacity } = await groups.group();
    expect(DesiredCapacity).toBe(4);
    expect(Instances.map(({ LifecycleState }) => LifecycleState)).toEqual(Array(4).fill('InService'));
    expect(Instances.map(({ AvailabilityZone }) => AvailabilityZone).toSorted()).toEqual([
      ...['us-east-1a', 'us-east-1a', 'us-east-1b', 'us-east-1b'],
    ]);
  });

  it('is refused beyond the limit of the region, which can be queried', async () => {
    const { settings } = groups.test.account;
    await groups.create({ DesiredCapacity: 0 });
    settings.autoScalingGroups = 1;
    expect(await groups.client.send(new DescribeAccountLimitsCommand({}))).toMatchObject({
      MaxNumberOfAutoScalingGroups: 1,
      NumberOfAutoScalingGroups: 1,
    });
    expect(await codeOf(groups.create({ AutoScalingGroupName: 'other' }))).toBe('LimitExceededFault');
  });

  it('is balanced across zones, not across subnets', async () => {
    const [zoneA = ''] = (await groups.subnets('us-east-1a')).split(',');
    const VpcId = groups.test.account.ec2().subnets.get(zoneA).vpcId;
    const place = { VpcId, CidrBlock: '172.31.240.0/24', AvailabilityZone: 'us-east-1a' };
    const { Subnet } = await groups.ec2.send(new CreateSubnetCommand(place));
    const VPCZoneIdentifier = [zoneA, Subnet?.SubnetId, await groups.subnets('us-east-1b')].join(',');
    await groups.create({ DesiredCapacity: 4, VPCZoneIdentifier });
    const zones = (await groups.group()).Instances?.map(({ AvailabilityZone }) => AvailabilityZone);
    expect(zones?.filter((zone) => zone === 'us-east-1a')).toHaveLength(2);
  });

  it('shows the defaults of AWS', async () => {
    await groups.create();
    expect(await groups.group()).toMatchObject({
      AutoScalingGroupARN: expect.stringMatching(
        /^arn:aws:autoscaling:us-east-1:000000000000:autoScalingGroup:[0-9a-f-]{36}:autoScalingGroupName\/pool$/,
      ),
      ...{ MinSize: 0, MaxSize: 10, DesiredCapacity: 0, DefaultCooldown: 300, HealthCheckType: 'EC2' },
      ...{ HealthCheckGracePeriod: 0, TerminationPolicies: ['Default'], NewInstancesProtectedFromScaleIn: false },
      AvailabilityZones: ['us-east-1a', 'us-east-1b'],
      LaunchTemplate: { LaunchTemplateId: expect.stringMatching(/^lt-/), LaunchTemplateName: 'workers' },
    });
  });

  it('tags its instances with its own tags and with those of the group', async () => {
    await groups.create({
      DesiredCapacity: 1,
      Tags: [
        { Key: 'team', Value: 'a', PropagateAtLaunch: true },
        { Key: 'own', Value: 'b', PropagateAtLaunch: false },
      ],
    });
    const [id = ''] = await groups.ids();
    expect(await tagsOf(id)).toEqual({
      team: 'a',
      'aws:autoscaling:groupName': 'pool',
      'aws:ec2launchtemplate:id': expect.stringMatching(/^lt-/),
      'aws:ec2launchtemplate:version': '1',
    });
  });

  it('lists in its activities what it did and why', async () => {
    await groups.create({ DesiredCapacity: 1 });
    await groups.pass(500);
    const [id] = await groups.ids('InService');
    expect(await groups.activities()).toMatchObject([
      {
        Description: `Launching a new EC2 instance: ${id}`,
        StatusCode: 'Successful',
        Progress: 100,
        Cause:
          'At 2026-11-20T10:00:00Z a user request created an AutoScalingGroup changing the desired capacity from 0 to 1.  At 2026-11-20T10:00:00Z an instance was started in response to a difference between desired and actual capacity, increasing the capacity from 0 to 1.',
      },
    ]);
  });

  it.each([
    ['no template', { LaunchTemplate: undefined }, /either LaunchTemplate, LaunchConfigurationName/],
    ['a template that does not exist', { LaunchTemplate: { LaunchTemplateName: 'none' } }, /valid fully-formed/],
    [
      'a version that does not exist',
      { LaunchTemplate: { LaunchTemplateName: 'workers', Version: '7' } },
      /fully-formed/,
    ],
    ['bounds that contradict each other', { MinSize: 3, MaxSize: 1 }, /greater than or equal to min bound/],
    ['a desired capacity out of bounds', { DesiredCapacity: 11 }, /Desired capacity:11 must be between/],
    ['no subnet', { VPCZoneIdentifier: undefined }, /At least one Availability Zone or VPC Subnet/],
    ['a subnet that does not exist', { VPCZoneIdentifier: 'subnet-0123456789abcdef0' }, /does not exist/],
    ['an unknown policy', { TerminationPolicies: ['Youngest'] }, /termination policy/],
    ['an unknown target group', { TargetGroupARNs: ['arn:none'] }, /Target Groups may not be valid/],
  ])('is refused with %s', async (_what, input, message) => {
    const refused = groups.create(input);
    expect(await codeOf(refused)).toBe('ValidationError');
    expect(await messageOf(refused)).toMatch(message);
  });

  it('is refused with a template that is incomplete', async () => {
    await groups.ec2.send(
      new CreateLaunchTemplateCommand({ LaunchTemplateName: 'bare', LaunchTemplateData: { InstanceType: 't3.large' } }),
    );
    expect(await messageOf(groups.create({ LaunchTemplate: { LaunchTemplateName: 'bare' } }))).toBe(
      'You must use a valid fully-formed launch template. The request must contain the parameter ImageId',
    );
  });

  it('is refused with an existing name, or with parameters that are not simulated', async () => {
    await groups.create();
    expect(await codeOf(groups.create())).toBe('AlreadyExistsFault');
    expect(await codeOf(groups.create({ AutoScalingGroupName: 'b', InstanceId: 'i-1' }))).toBe('NotSimulated');
  });
});

describe('a group', () => {
  it('grows and shrinks with its desired capacity', async () => {
    await groups.create({ DesiredCapacity: 1 });
    await groups.pass(500);
    await groups.client.send(new SetDesiredCapacityCommand({ AutoScalingGroupName, DesiredCapacity: 3 }));
    await groups.pass(500);
    expect(await groups.ids('InService')).toHaveLength(3);
    await update({ MaxSize: 1 });
    expect(await groups.ids('InService')).toHaveLength(1);
    await groups.pass(1000);
    expect(await groups.ids()).toHaveLength(1);
    const [newest] = await groups.activities();
    expect(newest).toMatchObject({ StatusCode: 'Successful', Description: expect.stringMatching(/^Terminating EC2/) });
    expect(newest?.Cause).toMatch(
      /update of AutoScalingGroup constraints to min: 0, max: 1, desired: 1 changing the desired capacity from 3 to 1\. .* shrinking the capacity from \d to 1\. .* was selected for termination\.$/,
    );
  });

  it.each([
    [11, 'New SetDesiredCapacity value 11 is above max value 10 for the AutoScalingGroup.'],
    [0, 'New SetDesiredCapacity value 0 is below min value 1 for the AutoScalingGroup.'],
  ])('refuses the desired capacity %d', async (DesiredCapacity, message) => {
    await groups.create({ MinSize: 1 });
    const call = groups.client.send(new SetDesiredCapacityCommand({ AutoScalingGroupName, DesiredCapacity }));
    expect(await messageOf(call)).toBe(message);
  });

  it('replaces an instance that was terminated', async () => {
    await groups.create({ DesiredCapacity: 2 });
    await groups.pass(500);
    const [first = ''] = await groups.ids('InService');
    await groups.ec2.send(new TerminateInstancesCommand({ InstanceIds: [first] }));
    await groups.pass(2000);
    const after = await groups.ids('InService');
    expect(after).toHaveLength(2);
    expect(after).not.toContain(first);
    const causes = (await groups.activities()).map(({ Cause }) => Cause);
    expect(causes).toContainEqual(expect.stringMatching(/in response to an EC2 health check/));
    expect(causes).toContainEqual(expect.stringMatching(/in response to an unhealthy instance needing to be replaced/));
  });

  it('replaces an instance that a user marks as unhealthy', async () => {
    await groups.create({ DesiredCapacity: 1 });
    await groups.pass(500);
    const [InstanceId] = await groups.ids('InService');
    await groups.client.send(new SetInstanceHealthCommand({ InstanceId, HealthStatus: 'Unhealthy' }));
    await groups.pass(1500);
    expect(await groups.ids('InService')).not.toContain(InstanceId);
  });

  it('terminates one instance on request, with and without a replacement', async () => {
    await groups.create({ MinSize: 1, DesiredCapacity: 2 });
    await groups.pass(500);
    const [first, second] = await groups.ids('InService');
    const end = (InstanceId = '', ShouldDecrementDesiredCapacity = false) =>
      groups.client.send(
        new TerminateInstanceInAutoScalingGroupCommand({ InstanceId, ShouldDecrementDesiredCapacity }),
      );
    const { Activity } = await end(first, true);
    expect(Activity).toMatchObject({ StatusCode: 'InProgress', Description: `Terminating EC2 instance: ${first}` });
    await groups.pass(1000);
    expect(await groups.ids()).toEqual([second]);
    expect(await messageOf(end(second, true))).toMatch(/^Currently, desiredSize equals minSize \(1\)/);
    await end(second);
    await groups.pass(1000);
    expect(await groups.ids('InService')).toHaveLength(1);
    expect(await groups.ids()).not.toContain(second);
    expect(await messageOf(end('i-0123456789abcdef0'))).toMatch(/No managed instance found/);
  });

  it('launches further instances from the version that $Latest is at that time', async () => {
    await groups.create({ DesiredCapacity: 1, LaunchTemplate: { LaunchTemplateName: 'workers', Version: '$Latest' } });
    await groups.pass(500);
    const command = new CreateLaunchTemplateVersionCommand({
      LaunchTemplateName: 'workers',
      SourceVersion: '1',
      LaunchTemplateData: { InstanceType: 't3.small' },
    });
    await groups.ec2.send(command);
    await update({ DesiredCapacity: 2 });
    const { Instances = [], LaunchTemplate } = await groups.group();
    expect(Instances.map((one) => [one.LaunchTemplate?.Version, one.InstanceType])).toEqual([
      ['1', 't3.large'],
      ['2', 't3.small'],
    ]);
    expect(LaunchTemplate?.Version).toBe('$Latest');
    await update({ DesiredCapacity: 1, TerminationPolicies: ['OldestLaunchTemplate'] });
    await groups.pass(1000);
    expect((await groups.group()).Instances?.map((one) => one.LaunchTemplate?.Version)).toEqual(['2']);
  });

  it('are described by at most 50 names, or as many as the call asks for', async () => {
    const AutoScalingGroupNames = Array.from({ length: 51 }, (_none, index) => `group-${index}`);
    const described = (input: DescribeAutoScalingGroupsCommandInput) =>
      groups.client.send(new DescribeAutoScalingGroupsCommand(input));
    expect((await described({ AutoScalingGroupNames, MaxRecords: 100 })).AutoScalingGroups).toEqual([]);
    await expect(described({ AutoScalingGroupNames })).rejects.toMatchObject({ name: 'ValidationError' });
  });

  it('is deleted when it is empty, or by force with its instances', async () => {
    await groups.create({ DesiredCapacity: 1 });
    expect(await codeOf(remove())).toBe('ScalingActivityInProgressFault');
    await groups.pass(500);
    expect(await codeOf(remove())).toBe('ResourceInUseFault');
    const [id = ''] = await groups.ids();
    await remove(true);
    expect((await groups.group()).Status).toBe('Delete in progress');
    await groups.pass(1000);
    const { AutoScalingGroups } = await groups.client.send(new DescribeAutoScalingGroupsCommand({}));
    expect(AutoScalingGroups).toEqual([]);
    expect((await groups.instance(id)).State?.Name).toBe('terminated');
    expect((await groups.activities())[0]).toMatchObject({
      AutoScalingGroupState: 'Deleted',
      StatusCode: 'Successful',
    });
    expect(await codeOf(remove())).toBe('ValidationError');
  });
});
