import {
  CompleteLifecycleActionCommand,
  DeleteLifecycleHookCommand,
  DescribeLifecycleHooksCommand,
  PutLifecycleHookCommand,
  type PutLifecycleHookCommandInput,
  RecordLifecycleActionHeartbeatCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../../test-aws.ts';
import type { BusEvent } from '../events/bus.ts';
import { useTestGroups } from './test-autoscaling.ts';

const groups = useTestGroups();
const AutoScalingGroupName = 'pool';
const LifecycleHookName = 'drain';
const [LAUNCHING, TERMINATING] = ['autoscaling:EC2_INSTANCE_LAUNCHING', 'autoscaling:EC2_INSTANCE_TERMINATING'];

const put = (input: Partial<PutLifecycleHookCommandInput> = {}) =>
  groups.client.send(
    new PutLifecycleHookCommand({
      AutoScalingGroupName,
      LifecycleHookName,
      LifecycleTransition: TERMINATING,
      HeartbeatTimeout: 60,
      ...input,
    }),
  );
const resize = (DesiredCapacity: number) =>
  groups.client.send(new UpdateAutoScalingGroupCommand({ AutoScalingGroupName, DesiredCapacity }));
const complete = (LifecycleActionResult: string, more: object) =>
  groups.client.send(
    new CompleteLifecycleActionCommand({ AutoScalingGroupName, LifecycleHookName, LifecycleActionResult, ...more }),
  );
const eventsOf = (type: string) => groups.events.filter((event) => event['detail-type'] === type);

const tokenIn = (event: BusEvent | undefined): string | undefined =>
  (event?.detail as { LifecycleActionToken?: string } | undefined)?.LifecycleActionToken;

/** The group with one instance that waits for the hook. */
const waitingToEnd = async (input: Partial<PutLifecycleHookCommandInput> = {}): Promise<string> => {
  await groups.create({ DesiredCapacity: 1 });
  await put(input);
  await groups.pass(500);
  await resize(0);
  const [id = ''] = await groups.ids('Terminating:Wait');
  return id;
};

describe('a hook at termination', () => {
  it('holds the instance until it is completed, and reports it to EventBridge', async () => {
    const InstanceId = await waitingToEnd({ NotificationMetadata: '{"cluster":"one"}' });
    const [event] = eventsOf('EC2 Instance-terminate Lifecycle Action');
    const { AutoScalingGroupARN } = await groups.group();
    expect(event).toMatchObject({
      source: 'aws.autoscaling',
      resources: [AutoScalingGroupARN],
      detail: {
        LifecycleActionToken: expect.stringMatching(/^[0-9a-f-]{36}$/),
        ...{ AutoScalingGroupName, LifecycleHookName, EC2InstanceId: InstanceId },
        LifecycleTransition: TERMINATING,
        NotificationMetadata: '{"cluster":"one"}',
        ...{ Origin: 'AutoScalingGroup', Destination: 'EC2' },
      },
    });
    await groups.pass(30_000);
    expect((await groups.instance(InstanceId)).State?.Name).toBe('running');
    await complete('CONTINUE', {
      LifecycleActionToken: tokenIn(event),
    });
    await groups.pass(1_000);
    expect(await groups.ids()).toEqual([]);
    expect((await groups.instance(InstanceId)).State?.Name).toBe('terminated');
    expect(eventsOf('EC2 Instance Terminate Successful')[0]?.resources).toHaveLength(2);
  });

  it.each(['CONTINUE', 'ABANDON'])(
    'releases the instance with the default result %s after its timeout',
    async (DefaultResult) => {
      const id = await waitingToEnd({ DefaultResult });
      await groups.pass(59_000);
      expect(await groups.ids('Terminating:Wait')).toEqual([id]);
      await groups.pass(2_000);
      expect(await groups.ids()).toEqual([]);
    },
  );

  it('waits longer after a heartbeat', async () => {
    const InstanceId = await waitingToEnd();
    await groups.pass(50_000);
    await groups.client.send(
      new RecordLifecycleActionHeartbeatCommand({ AutoScalingGroupName, LifecycleHookName, InstanceId }),
    );
    await groups.pass(50_000);
    expect(await groups.ids('Terminating:Wait')).toEqual([InstanceId]);
    await groups.pass(11_000);
    expect(await groups.ids()).toEqual([]);
  });

  it('cannot be completed twice, or with an unknown token', async () => {
    const InstanceId = await waitingToEnd();
    expect(await codeOf(complete('CONTINUE', { LifecycleActionToken: crypto.randomUUID() }))).toBe('ValidationError');
    expect(await codeOf(complete('PERHAPS', { InstanceId }))).toBe('ValidationError');
    await complete('CONTINUE', { InstanceId });
    expect(await codeOf(complete('CONTINUE', { InstanceId }))).toBe('ValidationError');
  });

  it('does not hold an instance when it is deleted', async () => {
    await waitingToEnd();
    await groups.client.send(new DeleteLifecycleHookCommand({ AutoScalingGroupName, LifecycleHookName }));
    await groups.pass(1_000);
    expect(await groups.ids()).toEqual([]);
  });
});

describe('a hook at launch', () => {
  const launching = async (): Promise<string> => {
    await groups.create();
    await put({ LifecycleTransition: LAUNCHING });
    await resize(1);
    await groups.pass(500);
    const [id = ''] = await groups.ids('Pending:Wait');
    return id;
  };

  it('keeps the instance out of service until it is completed', async () => {
    const InstanceId = await launching();
    expect(eventsOf('EC2 Instance-launch Lifecycle Action')[0]?.detail).toMatchObject({
      ...{ EC2InstanceId: InstanceId, Origin: 'EC2', Destination: 'AutoScalingGroup' },
    });
    await complete('CONTINUE', { InstanceId });
    expect(await groups.ids('InService')).toEqual([InstanceId]);
    expect(eventsOf('EC2 Instance Launch Successful')[0]?.detail).toMatchObject({ EC2InstanceId: InstanceId });
  });

  it('replaces an abandoned instance', async () => {
    const InstanceId = await launching();
    await complete('ABANDON', { InstanceId });
    await groups.pass(1_500);
    const ids = await groups.ids('Pending:Wait');
    expect(ids).toHaveLength(1);
    expect(ids).not.toContain(InstanceId);
    const cancelled = (await groups.activities()).find(({ StatusCode }) => StatusCode === 'Cancelled');
    expect(cancelled?.StatusMessage).toMatch(/^Instance failed to complete user's Lifecycle Action: .* was abandoned/);
    expect(eventsOf('EC2 Instance Launch Unsuccessful')).toHaveLength(1);
  });
});

describe('hooks', () => {
  it('have the defaults of AWS, and can be changed', async () => {
    await groups.create();
    await put({ HeartbeatTimeout: undefined });
    await put({ LifecycleTransition: undefined, HeartbeatTimeout: undefined, DefaultResult: 'CONTINUE' });
    const { LifecycleHooks } = await groups.client.send(new DescribeLifecycleHooksCommand({ AutoScalingGroupName }));
    expect(LifecycleHooks).toEqual([
      {
        ...{ AutoScalingGroupName, LifecycleHookName, LifecycleTransition: TERMINATING },
        ...{ HeartbeatTimeout: 3600, GlobalTimeout: 172_800, DefaultResult: 'CONTINUE' },
      },
    ]);
  });

  it.each([
    { LifecycleTransition: 'autoscaling:NONE' },
    { HeartbeatTimeout: 29 },
    { HeartbeatTimeout: 7201 },
    { DefaultResult: 'PERHAPS' },
    { LifecycleHookName: 'with space' },
  ])('are refused with %j', async (input) => {
    await groups.create();
    expect(await codeOf(put(input))).toBe('ValidationError');
  });

  it('can be created together with the group', async () => {
    await groups.create({
      DesiredCapacity: 1,
      LifecycleHookSpecificationList: [{ LifecycleHookName: 'start', LifecycleTransition: LAUNCHING }],
    });
    await groups.pass(500);
    expect(await groups.ids('Pending:Wait')).toHaveLength(1);
  });
});
