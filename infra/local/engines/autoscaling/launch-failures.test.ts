import {
  CreateOrUpdateTagsCommand,
  DeleteTagsCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeAutoScalingInstancesCommand,
  DescribeTagsCommand,
  SetDesiredCapacityCommand,
} from '@aws-sdk/client-auto-scaling';
import { DeleteLaunchTemplateCommand, DeleteSubnetCommand } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../../test-aws.ts';
import { useTestGroups } from './test-autoscaling.ts';

const groups = useTestGroups();

describe('failed launches', () => {
  it('report a deleted launch template', async () => {
    await groups.create();
    await groups.ec2.send(new DeleteLaunchTemplateCommand({ LaunchTemplateName: 'workers' }));
    await groups.client.send(new SetDesiredCapacityCommand({ AutoScalingGroupName: 'pool', DesiredCapacity: 1 }));
    expect((await groups.activities())[0]?.StatusMessage).toMatch(
      /^The specified launch template, with template ID lt-\w+, does not exist\. Launching EC2 instance failed\.$/,
    );
  });

  it('report a deleted subnet, and continue in another one', async () => {
    await groups.create();
    const [SubnetId = ''] = (await groups.subnets('us-east-1a')).split(',');
    await groups.ec2.send(new DeleteSubnetCommand({ SubnetId }));
    await groups.client.send(new SetDesiredCapacityCommand({ AutoScalingGroupName: 'pool', DesiredCapacity: 1 }));
    const failed = (await groups.activities()).find(({ StatusCode }) => StatusCode === 'Failed');
    expect(failed?.StatusMessage).toMatch(new RegExp(`^The subnet ID '${SubnetId}' does not exist`));
    await groups.pass(500);
    expect(await groups.ids('InService')).toHaveLength(1);
  });

  it('continue in another zone if one has no capacity', async () => {
    groups.test.account.settings.capacityGaps = [{ zone: 'us-east-1a' }];
    await groups.create({ DesiredCapacity: 2 });
    await groups.pass(500);
    const { Instances = [] } = await groups.group();
    expect(Instances.map(({ AvailabilityZone }) => AvailabilityZone)).toEqual(['us-east-1b', 'us-east-1b']);
    expect((await groups.activities()).filter(({ StatusCode }) => StatusCode === 'Failed')[0]).toMatchObject({
      StatusMessage: expect.stringMatching(
        /do not have sufficient t3.large capacity .* Launching EC2 instance failed\.$/,
      ),
    });
  });

  it('are retried after increasing intervals', async () => {
    groups.test.account.settings.capacityGaps = [{ instanceType: 't3.large' }];
    await groups.create({ DesiredCapacity: 1 });
    const failures = async () => (await groups.activities()).length;
    expect(await failures()).toBe(2);
    await groups.pass(4_500);
    expect(await failures()).toBe(2);
    await groups.pass(500);
    expect(await failures()).toBe(4);
    await groups.pass(9_500);
    expect(await failures()).toBe(4);
    groups.test.account.settings.capacityGaps = [];
    await groups.pass(1_500);
    expect(await groups.ids('InService')).toHaveLength(1);
    expect(groups.events.map((event) => event['detail-type'])).toContain('EC2 Instance Launch Unsuccessful');
  });

  it('report faults that were requested for RunInstances', async () => {
    groups.test.account.failNext('ec2', 'RunInstances', { code: 'RequestLimitExceeded', message: 'Too many.' });
    await groups.create({ DesiredCapacity: 1 });
    expect((await groups.activities())[0]).toMatchObject({
      StatusCode: 'Failed',
      StatusMessage: expect.stringMatching(/^Too many\./),
    });
  });
});

describe('tags of groups', () => {
  it('are created, found and deleted', async () => {
    await groups.create();
    const tag = {
      ResourceId: 'pool',
      ResourceType: 'auto-scaling-group',
      Key: 'team',
      Value: 'a',
      PropagateAtLaunch: true,
    };
    await groups.client.send(new CreateOrUpdateTagsCommand({ Tags: [tag] }));
    const find = async (Name: string, ...Values: string[]) =>
      (await groups.client.send(new DescribeTagsCommand({ Filters: [{ Name, Values }] }))).Tags;
    expect(await find('key', 'team')).toEqual([tag]);
    expect(await find('auto-scaling-group', 'other')).toEqual([]);
    const byTag = await groups.client.send(
      new DescribeAutoScalingGroupsCommand({ Filters: [{ Name: 'tag:team', Values: ['a'] }] }),
    );
    expect(byTag.AutoScalingGroups).toHaveLength(1);
    await groups.client.send(new DeleteTagsCommand({ Tags: [tag] }));
    expect(await find('key', 'team')).toEqual([]);
  });
});

describe('descriptions', () => {
  it('are returned in pages', async () => {
    for (const name of ['a', 'b', 'c']) await groups.create({ AutoScalingGroupName: name });
    const ask = (NextToken?: string) =>
      groups.client.send(new DescribeAutoScalingGroupsCommand({ MaxRecords: 2, NextToken }));
    const first = await ask();
    const second = await ask(first.NextToken);
    expect([...(first.AutoScalingGroups ?? []), ...(second.AutoScalingGroups ?? [])]).toHaveLength(3);
    expect(second.NextToken).toBeUndefined();
    expect(await codeOf(ask('?'))).toBe('InvalidNextToken');
  });

  it('can be limited to instances by id', async () => {
    await groups.create({ DesiredCapacity: 2 });
    await groups.pass(500);
    const [id = ''] = await groups.ids();
    const { AutoScalingInstances } = await groups.client.send(
      new DescribeAutoScalingInstancesCommand({ InstanceIds: [id, 'i-0123456789abcdef0'] }),
    );
    expect(AutoScalingInstances).toMatchObject([
      { InstanceId: id, AutoScalingGroupName: 'pool', HealthStatus: 'HEALTHY', LifecycleState: 'InService' },
    ]);
  });
});
