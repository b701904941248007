import {
  CompleteLifecycleActionCommand,
  DeleteWarmPoolCommand,
  DescribeWarmPoolCommand,
  PutLifecycleHookCommand,
  PutWarmPoolCommand,
  type PutWarmPoolCommandInput,
  TerminateInstanceInAutoScalingGroupCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../../../test-aws.ts';
import { useTestGroups } from '../test-autoscaling.ts';

const groups = useTestGroups();
const AutoScalingGroupName = 'pool';

const put = (input: Partial<PutWarmPoolCommandInput> = {}) =>
  groups.client.send(new PutWarmPoolCommand({ AutoScalingGroupName, ...input }));
const pool = () => groups.client.send(new DescribeWarmPoolCommand({ AutoScalingGroupName }));
const pooled = async (): Promise<[id: string, state: string][]> =>
  ((await pool()).Instances ?? []).map(({ InstanceId = '', LifecycleState = '' }) => [InstanceId, LifecycleState]);
const resize = (DesiredCapacity: number) =>
  groups.client.send(new UpdateAutoScalingGroupCommand({ AutoScalingGroupName, DesiredCapacity }));
const lifeOf = async (id: string) => (await groups.instance(id)).State?.Name;

describe('a warm pool', () => {
  it('prepares and stops as many instances as the maximum requires', async () => {
    await groups.create({ DesiredCapacity: 1, MaxSize: 3 });
    await put();
    await groups.pass(2_000);
    const instances = await pooled();
    expect(instances.map(([, state]) => state)).toEqual(['Warmed:Stopped', 'Warmed:Stopped']);
    expect(await lifeOf(instances[0]?.[0] ?? '')).toBe('stopped');
    expect(await groups.group()).toMatchObject({
      WarmPoolSize: 2,
      WarmPoolConfiguration: { MaxGroupPreparedCapacity: -1, MinSize: 0, PoolState: 'Stopped' },
      Instances: [{ LifecycleState: 'InService' }],
    });
  });

  it.each([
    [{ MaxGroupPreparedCapacity: 2 }, 1],
    [{ MaxGroupPreparedCapacity: 1, MinSize: 3 }, 3],
    [{ MaxGroupPreparedCapacity: 0, MinSize: 0 }, 0],
  ])('with %j has %d instances', async (input, count) => {
    await groups.create({ DesiredCapacity: 1 });
    await put(input);
    await groups.pass(2_000);
    expect(await pooled()).toHaveLength(count);
  });

  it('keeps instances running if configured', async () => {
    await groups.create({ MaxSize: 1 });
    await put({ PoolState: 'Running' });
    await groups.pass(2_000);
    const [[id = '', state] = []] = await pooled();
    expect(state).toBe('Warmed:Running');
    expect(await lifeOf(id)).toBe('running');
  });

  it('gives instances to a group that grows, and is refilled', async () => {
    await groups.create({ MaxSize: 3 });
    await put({ MaxGroupPreparedCapacity: 1, MinSize: 1 });
    await groups.pass(2_000);
    const [[id = ''] = []] = await pooled();
    await resize(1);
    expect(await groups.ids()).toEqual([id]);
    await groups.pass(2_000);
    expect(await groups.ids('InService')).toEqual([id]);
    expect(await lifeOf(id)).toBe('running');
    const after = await pooled();
    expect(after).toHaveLength(1);
    expect(after[0]?.[0]).not.toBe(id);
    const launches = groups.events.filter((event) => event['detail-type'] === 'EC2 Instance Launch Successful');
    expect(launches.map(({ detail }) => (detail as { Origin: string }).Origin)).toContain('WarmPool');
  });

  it('takes instances back when the group shrinks, if configured', async () => {
    await groups.create({ DesiredCapacity: 1, MaxSize: 2 });
    await put({ InstanceReusePolicy: { ReuseOnScaleIn: true }, MaxGroupPreparedCapacity: 1 });
    await groups.pass(2_000);
    const [id = ''] = await groups.ids();
    await resize(0);
    await groups.pass(2_000);
    expect(await pooled()).toEqual([[id, 'Warmed:Stopped']]);
    expect(await groups.ids()).toEqual([]);
  });

  it('waits for launch hooks', async () => {
    await groups.create({ MaxSize: 1 });
    const LifecycleHookName = 'prepare';
    const LifecycleTransition = 'autoscaling:EC2_INSTANCE_LAUNCHING';
    await groups.client.send(
      new PutLifecycleHookCommand({ AutoScalingGroupName, LifecycleHookName, LifecycleTransition }),
    );
    await put();
    await groups.pass(1_000);
    const [[InstanceId = '', state] = []] = await pooled();
    expect(state).toBe('Warmed:Pending:Wait');
    const event = groups.events.find((one) => one['detail-type'] === 'EC2 Instance-launch Lifecycle Action');
    expect(event?.detail).toMatchObject({ Origin: 'EC2', Destination: 'WarmPool' });
    await groups.client.send(
      new CompleteLifecycleActionCommand({
        ...{ AutoScalingGroupName, LifecycleHookName, InstanceId, LifecycleActionResult: 'CONTINUE' },
      }),
    );
    await groups.pass(1_000);
    expect((await pooled())[0]?.[1]).toBe('Warmed:Stopped');
  });

  it('replaces an instance that was terminated', async () => {
    await groups.create({ MaxSize: 1 });
    await put();
    await groups.pass(2_000);
    const [[id = ''] = []] = await pooled();
    await groups.ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
    await groups.pass(3_000);
    const after = await pooled();
    expect(after).toMatchObject([[expect.any(String), 'Warmed:Stopped']]);
    expect(after[0]?.[0]).not.toBe(id);
  });

  it('can be deleted when it is empty, or by force', async () => {
    await groups.create({ MaxSize: 1 });
    await put();
    await groups.pass(2_000);
    const remove = (ForceDelete: boolean) =>
      groups.client.send(new DeleteWarmPoolCommand({ AutoScalingGroupName, ForceDelete }));
    const [[id = ''] = []] = await pooled();
    expect(await codeOf(remove(false))).toBe('ResourceInUseFault');
    await remove(true);
    expect((await pool()).WarmPoolConfiguration?.Status).toBe('PendingDelete');
    await groups.pass(1_000);
    expect(await pool()).toMatchObject({ Instances: [] });
    expect((await pool()).WarmPoolConfiguration).toBeUndefined();
    expect(await lifeOf(id)).toBe('terminated');
    expect(await codeOf(remove(true))).toBe('ValidationError');
  });

  it('has instances that TerminateInstanceInAutoScalingGroup cannot terminate', async () => {
    await groups.create({ MaxSize: 1 });
    await put();
    await groups.pass(2_000);
    const [[InstanceId = ''] = []] = await pooled();
    const call = new TerminateInstanceInAutoScalingGroupCommand({ InstanceId, ShouldDecrementDesiredCapacity: false });
    expect(await codeOf(groups.client.send(call))).toBe('ValidationError');
  });

  it('is refused for spot instances and for hibernation', async () => {
    await groups.create();
    expect(await codeOf(put({ PoolState: 'Hibernated' }))).toBe('NotSimulated');
    await groups.client.send(
      new UpdateAutoScalingGroupCommand({
        AutoScalingGroupName,
        MixedInstancesPolicy: {
          LaunchTemplate: { LaunchTemplateSpecification: { LaunchTemplateName: 'workers' } },
          InstancesDistribution: { OnDemandPercentageAboveBaseCapacity: 0 },
        },
      }),
    );
    expect(await codeOf(put())).toBe('ValidationError');
  });
});
