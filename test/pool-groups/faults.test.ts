/** Answers of Auto Scaling that an operation is already done, in the SDK's form. */
import {
  StartInstanceRefreshCommand,
  TerminateInstanceInAutoScalingGroupCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { afterEach, describe, expect, it } from 'vitest';
import { makePoolGroupSteps } from '../../functions/providers/aws/machine-pool/steps.ts';
import { translateAwsError } from '../../shared/aws/errors.ts';
import { type Event, kinds } from '../../shared/kinds/index.ts';
import { silentLog } from '../../shared/log.ts';
import { type PoolWorld, startPoolWorld } from './world.ts';

let world: PoolWorld;
afterEach(() => world?.close());

const conditionOf = async (type: string) =>
  (await world.infrastructure()).status?.conditions?.find((condition) => condition.type === type);

const ports = () => world.dependencies.pools({} as never);

/** A check in which Auto Scaling does not show the group yet. */
const lookTooEarly = async () => {
  const { groups, ...others } = ports();
  let looks = 0;
  const describe: typeof groups.describe = async (names) => {
    looks += 1;
    return looks === 1 ? [] : groups.describe(names);
  };
  const pools = () => ({ ...others, groups: { ...groups, describe } });
  const steps = makePoolGroupSteps({ ...world.dependencies, pools });
  return steps.reconcilePool({ ...world.input, since: world.aws.clock.now().toISOString() }, { log: silentLog });
};

describe('the group of a pool', () => {
  it('may already exist when a check that does not see it tries to create it', async () => {
    world = await startPoolWorld();
    await world.settle();
    await world.changePool({ replicas: 3 });

    await lookTooEarly();

    await world.settle();
    expect((await world.group())?.Instances).toHaveLength(3);
    const events = await world.dependencies.objects.list<Event>(kinds.event);
    expect(events.filter(({ type }) => type === 'Warning')).toEqual([]);
  });

  it('may already be replacing instances, or no longer, when a refresh is started or cancelled', async () => {
    world = await startPoolWorld();
    await world.settle();
    const { groups } = ports();
    const name = (await world.group())?.AutoScalingGroupName ?? '';

    await expect(groups.cancelRefresh(name)).resolves.toBeUndefined();
    await world.autoScaling.send(new StartInstanceRefreshCommand({ AutoScalingGroupName: name }));

    await world.changeInfrastructure({ awsLaunchTemplate: { instanceType: 'm5.large' } });
    await expect(world.settle()).resolves.toMatchObject({ progress: 'done' });
  });

  it.each(['LimitExceeded', 'SomethingNew'])('is reported as missing if Auto Scaling refuses it: %s', async (code) => {
    world = await startPoolWorld();
    world.aws.account.failNext('autoscaling', 'CreateAutoScalingGroup', { code, message: 'full' });

    expect(await world.settle()).toMatchObject({ progress: 'failed' });

    const message = expect.stringMatching(new RegExp(`^${code}: full`));
    const failed = { status: 'False', severity: 'Error', reason: 'ASGProvisionFailed', message };
    expect(await conditionOf('ASGReady')).toMatchObject(failed);
  });

  it('still has its instances recorded if Auto Scaling refuses a change for a quota', async () => {
    world = await startPoolWorld();
    await world.settle();
    const [gone] = (await world.group())?.Instances ?? [];
    const leaves = { InstanceId: gone?.InstanceId, ShouldDecrementDesiredCapacity: true };
    await world.autoScaling.send(new TerminateInstanceInAutoScalingGroupCommand(leaves));
    await world.changePool({ replicas: 3 });
    world.aws.account.failNext('autoscaling', 'UpdateAutoScalingGroup', { code: 'LimitExceeded', message: 'full' });

    expect(await world.settle()).toMatchObject({ progress: 'failed' });

    const { spec } = (await world.infrastructure()) ?? {};
    expect(spec?.providerIDList?.join()).not.toContain(gone?.InstanceId);
  });

  it('is changed later while a scaling activity is in progress', async () => {
    world = await startPoolWorld();
    await world.settle();
    await world.changePool({ replicas: 3 });
    const code = 'ScalingActivityInProgress';
    world.aws.account.failNext('autoscaling', 'UpdateAutoScalingGroup', { code, message: 'wait' });

    const error = await world.settle().catch(translateAwsError);

    expect(error).toMatchObject({ name: 'Transient', message: expect.stringContaining(code) });
    expect(await conditionOf('ASGReady')).toMatchObject({ status: 'True' });
  });

  it('may be deleted again while its instances terminate', async () => {
    world = await startPoolWorld();
    await world.settle();
    const name = (await world.group())?.AutoScalingGroupName ?? '';
    const update = { AutoScalingGroupName: name, MinSize: 0, DesiredCapacity: 1 };
    await world.autoScaling.send(new UpdateAutoScalingGroupCommand(update));
    for (const code of ['ScalingActivityInProgress', 'ResourceInUse']) {
      world.aws.account.failNext('autoscaling', 'DeleteAutoScalingGroup', { code, message: 'wait' });

      await expect(ports().groups.remove(name)).resolves.toBe(false);
    }
  });
});
