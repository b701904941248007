/** The replacement of a group's instances when the template changes more than once. */
import {
  CancelInstanceRefreshCommand,
  DescribeInstanceRefreshesCommand,
  type InstanceRefreshStatus,
} from '@aws-sdk/client-auto-scaling';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AWSMachinePool, kinds } from '../../shared/kinds/index.ts';
import { KEY, type PoolWorld, startPoolWorld } from './world.ts';

let world: PoolWorld;
beforeEach(async () => {
  world = await startPoolWorld();
  await world.settle();
});
afterEach(() => world.close());

const NAME = { AutoScalingGroupName: 'default.pool-0' };
const RECORD = 'windlass.dev/instance-refresh';

const become = (instanceType: string, spec: object = {}) =>
  world.changeInfrastructure({ ...spec, awsLaunchTemplate: { instanceType } });

/** The latest first. */
const statuses = async () => {
  const { InstanceRefreshes = [] } = await world.autoScaling.send(new DescribeInstanceRefreshesCommand(NAME));
  return InstanceRefreshes.map(({ Status }) => Status);
};

const types = async () => (await world.group())?.Instances?.map(({ InstanceType }) => InstanceType);

const conditionOf = async (type: string) =>
  (await world.infrastructure()).status?.conditions?.find((one) => one.type === type);

/** Checks every second until the latest refresh has this status. */
const until = async (wanted: InstanceRefreshStatus): Promise<void> => {
  for (let looks = 0; looks < 60; looks += 1) {
    await world.look();
    if ((await statuses())[0] === wanted) return;
    await world.pass(1);
  }
  throw new Error(`the latest refresh is ${(await statuses())[0]}`);
};

const allReplaced = async (instanceType: string): Promise<void> => {
  await world.settle();
  expect(await types()).toEqual([instanceType, instanceType]);
  expect((await statuses())[0]).toBe('Successful');
  for (const type of ['InstanceRefreshStarted', 'PostLaunchTemplateUpdateOperationSuccess', 'Ready'])
    expect(await conditionOf(type), type).toMatchObject({ status: 'True' });
};

describe('a template that returns to its previous form', () => {
  it('while the refresh for it is being cancelled has the refresh started again', async () => {
    await become('m5.large');
    await until('InProgress');
    await become('m5.xlarge');
    await until('Cancelling');
    await become('m5.large');
    await allReplaced('m5.large');
  });

  it('has instances of the form in between replaced, which had no refresh of their own', async () => {
    await become('m5.large');
    await allReplaced('m5.large');
    await become('m5.xlarge', { refreshPreferences: { disable: true } });
    await world.settle();
    await world.changePool({ replicas: 3 });
    await world.settle();
    expect(await types()).toContain('m5.xlarge');
    await become('m5.large', { refreshPreferences: {} });
    await world.settle();
    expect(await types()).toEqual(['m5.large', 'm5.large', 'm5.large']);
  });
});

describe('a refresh that was cancelled outside', () => {
  it('is not started again, and is reported while instances are outdated', async () => {
    await become('m5.large');
    await until('InProgress');
    await world.autoScaling.send(new CancelInstanceRefreshCommand(NAME));
    await world.settle();
    expect(await statuses()).toEqual(['Cancelled']);
    expect(await types()).toContain('t3.large');
    const claim = { status: 'False', severity: 'Warning', reason: 'InstanceRefreshFailed' };
    expect(await conditionOf('InstanceRefreshStarted')).toMatchObject(claim);
    expect(await conditionOf('Ready')).toMatchObject(claim);
  });
});

describe('a refresh that version 0.1 recorded', () => {
  const record = async (text?: string) => {
    if (text)
      await world.objects.mutate(kinds.awsMachinePool, KEY, ({ metadata, ...current }) => {
        const annotations = { ...metadata.annotations, [RECORD]: text };
        return { ...current, metadata: { ...metadata, annotations } } as AWSMachinePool;
      });
    return (await world.infrastructure()).metadata.annotations?.[RECORD];
  };

  it('is not repeated for the same template, and is recorded with its version', async () => {
    await become('m5.large');
    await allReplaced('m5.large');
    const [id, shape] = (await record())?.split(' ') ?? [];
    await record(`${id} ${shape}`);
    await world.pass(601);
    await world.settle();
    expect(await statuses()).toEqual(['Successful']);
    expect(await record()).toBe(`${id} ${shape} 2`);
  });

  it('for an earlier template does not count when the template returns to it', async () => {
    await become('m5.large');
    await allReplaced('m5.large');
    const [id, shape] = (await record())?.split(' ') ?? [];
    await become('m5.xlarge', { refreshPreferences: { disable: true } });
    await world.settle();
    await record(`${id} ${shape}`);
    await world.pass(601);
    await world.settle();
    expect(await record()).toBe(`${id} ${shape} 0`);
  });
});
