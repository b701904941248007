/** The conditions of an AWSMachinePool about its parts, with the texts of Cluster API's AWS provider. */
import { SetDesiredCapacityCommand, TerminateInstanceInAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { silentLog } from '../../shared/log.ts';
import { KEY, type PoolWorld, startPoolWorld } from './world.ts';

let world: PoolWorld;
beforeEach(async () => {
  world = await startPoolWorld();
});
afterEach(() => world.close());

const conditionOf = async (type: string) =>
  (await world.infrastructure()).status?.conditions?.find((one) => one.type === type);

const reasons = async () => (await world.objects.list(kinds.event, 'default')).map(({ reason }) => reason);

/** Makes AWS refuse these calls from now on. */
const deny = (...actions: string[]) => {
  world.aws.account.settings.denied = actions;
};

const HOOK = { name: 'mine', lifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING' };
const larger = { awsLaunchTemplate: { instanceType: 'm5.large' } };

describe('the lifecycle hooks of a pool', () => {
  it('are ready once the group has them', async () => {
    await world.settle();
    expect(await conditionOf('LifecycleHookReady')).toMatchObject({ status: 'True' });
  });

  it.each([
    ['one is missing', 'LifecycleHookCreationFailed', [], [HOOK], 'PutLifecycleHook'],
    [
      'one is not as asked for',
      'LifecycleHookUpdateFailed',
      [HOOK],
      [{ ...HOOK, heartbeatTimeout: '5m' }],
      'PutLifecycleHook',
    ],
    ['one is too many', 'LifecycleHookDeletionFailed', [HOOK], [], 'DeleteLifecycleHook'],
  ])('are not ready if %s and AWS refuses the change', async (_, reason, before, lifecycleHooks, action) => {
    await world.changeInfrastructure({ lifecycleHooks: before });
    await world.settle();
    deny(`autoscaling:${action}`);
    await world.changeInfrastructure({ lifecycleHooks });
    expect(await world.settle()).toMatchObject({ progress: 'failed' });
    expect(await conditionOf('LifecycleHookReady')).toMatchObject({ status: 'False', severity: 'Error', reason });
    expect(await conditionOf('ASGReady')).toMatchObject({ status: 'True' });
    expect(await reasons()).toContain('FailedLifecycleHooksReconcile');
    deny();
    await world.settle();
    expect(await conditionOf('LifecycleHookReady')).toMatchObject({ status: 'True' });
  });
});

describe('the condition of a template change', () => {
  const TYPE = 'PostLaunchTemplateUpdateOperationSuccess';

  it('is absent for the first version of the template', async () => {
    await world.settle();
    expect(await conditionOf(TYPE)).toBeUndefined();
  });

  it.each([
    ['is done with the start of the instance refresh', larger],
    ['is done at once where the pool wants none', { ...larger, refreshPreferences: { disable: true } }],
  ])('%s', async (_, change) => {
    await world.settle();
    await world.changeInfrastructure(change);
    await world.settle();
    expect(await conditionOf(TYPE)).toMatchObject({ status: 'True' });
  });

  it('is False if AWS refuses the instance refresh, and True once AWS accepts it', async () => {
    await world.settle();
    deny('autoscaling:StartInstanceRefresh');
    await world.changeInfrastructure(larger);
    await world.settle();
    expect(await conditionOf(TYPE)).toMatchObject({
      ...{ status: 'False', severity: 'Error', reason: 'PostLaunchTemplateUpdateOperationFailed' },
      message: expect.stringContaining('StartInstanceRefresh'),
    });
    expect(await conditionOf('LaunchTemplateReady')).toMatchObject({ status: 'True' });
    deny();
    await world.settle();
    expect(await conditionOf(TYPE)).toMatchObject({ status: 'True' });
  });
});

describe('a change that AWS refuses', () => {
  const present = async () =>
    (await world.group())?.Instances?.filter(({ LifecycleState }) => LifecycleState === 'InService');

  it('does not prevent instances that have left from being removed from the status of the pool', async () => {
    await world.settle();
    const [leaving, staying] = (await present()) ?? [];
    deny('autoscaling:UpdateAutoScalingGroup');
    await world.changeInfrastructure({ maxSize: 9 });
    const { InstanceId } = leaving ?? {};
    await world.autoScaling.send(
      new TerminateInstanceInAutoScalingGroupCommand({ InstanceId, ShouldDecrementDesiredCapacity: true }),
    );
    expect(await world.look()).toMatchObject({ progress: 'failed' });
    const { spec, status } = await world.infrastructure();
    expect(spec?.providerIDList).toEqual([expect.stringContaining(staying?.InstanceId ?? 'none')]);
    expect(status).toMatchObject({ replicas: 1, instances: [{ instanceID: staying?.InstanceId }] });
    expect(await conditionOf('ASGReady')).toMatchObject({ status: 'False', reason: 'ASGProvisionFailed' });
  });

  it('does not prevent a new instance from getting its AWSMachine', async () => {
    await world.settle();
    deny('autoscaling:UpdateAutoScalingGroup');
    const { AutoScalingGroupName } = (await world.group()) ?? {};
    await world.changeInfrastructure({ minSize: 1, maxSize: 9 });
    await world.autoScaling.send(new SetDesiredCapacityCommand({ AutoScalingGroupName, DesiredCapacity: 3 }));
    await world.pass(30);
    expect(await world.look()).toMatchObject({ progress: 'failed' });
    expect(await world.machines()).toHaveLength(3);
  });
});

describe('the launch template of a pool', () => {
  it.each([
    ['LaunchTemplateCreateFailed', 'ec2:CreateLaunchTemplate', false],
    ['LaunchTemplateReconcileFailed', 'ec2:CreateLaunchTemplateVersion', true],
  ])('is not ready: %s', async (reason, action, exists) => {
    if (exists) await world.settle();
    deny(action);
    await world.changeInfrastructure(larger);
    await world.settle();
    expect(await conditionOf('LaunchTemplateReady')).toMatchObject({ status: 'False', severity: 'Error', reason });
  });

  it('is not ready if it requests enclaves in a local zone', async () => {
    await world.objects.mutate(kinds.awsCluster, { namespace: 'default', name: 'red' }, (current) => {
      const subnets = (current.spec.network?.subnets ?? []).map((subnet) => ({
        ...subnet,
        ...{ zoneType: 'local-zone' as const, parentZoneName: 'us-east-1a' },
      }));
      return { ...current, spec: { ...current.spec, network: { ...current.spec.network, subnets } } };
    });
    const awsLaunchTemplate = { instanceType: 'm5.large', enclaveOptions: { enabled: true } };
    await world.changeInfrastructure({ awsLaunchTemplate, availabilityZones: ['us-east-1a'] });
    expect(await world.settle()).toMatchObject({ progress: 'failed' });
    expect(await conditionOf('LaunchTemplateReady')).toMatchObject({
      ...{ status: 'False', reason: 'NitroEnclaveEdgeZoneUnsupported' },
      message: expect.stringMatching(/^spec\.awsLaunchTemplate\.enclaveOptions: .* a local-zone; use subnets of other/),
    });
    expect(await world.group()).toBeUndefined();
  });
});

describe('the deletion of a pool', () => {
  it('shows that its group is being deleted', async () => {
    await world.settle();
    await world.deletePool();
    await world.steps.removePool(world.input, { log: silentLog });
    expect(await conditionOf('ASGReady')).toMatchObject({
      ...{ status: 'False', severity: 'Warning', reason: 'ASGDeletionInProgress' },
    });
  });

  it.each([
    ['autoscaling:DeleteAutoScalingGroup', 'ASGReady', 'ASGDeletionInProgress'],
    ['ec2:DeleteLaunchTemplate', 'LaunchTemplateReady', 'LaunchTemplateReconcileFailed'],
  ])('is reported in a condition and an event if AWS refuses %s', async (action, type, reason) => {
    await world.settle();
    deny(action);
    await expect(world.remove()).rejects.toThrow();
    expect(await reasons()).toContain('FailedDelete');
    const message = expect.stringMatching(/^Failed to delete .*(AccessDenied|UnauthorizedOperation)/);
    expect(await conditionOf(type)).toMatchObject({ status: 'False', severity: 'Error', reason, message });
  });

  it('is reported in a condition if the group may not be deleted', async () => {
    await world.settle();
    await world.deletePool();
    const code = 'OperationNotPermitted';
    world.aws.account.failNext('autoscaling', 'DeleteAutoScalingGroup', { code, message: 'protected', times: 9 });
    await expect(world.steps.removePool(world.input, { log: silentLog })).rejects.toThrow();
    expect(await reasons()).toContain('FailedDelete');
    expect(await conditionOf('ASGReady')).toMatchObject({ severity: 'Error', message: expect.stringContaining(code) });
  });

  it('is reported only once Auto Scaling has accepted it', async () => {
    await world.settle();
    await world.deletePool();
    const code = 'ScalingActivityInProgress';
    world.aws.account.failNext('autoscaling', 'DeleteAutoScalingGroup', { code, message: 'wait', times: 2 });
    const before = await reasons();
    for (let look = 0; look < 2; look += 1) {
      expect(await world.steps.removePool(world.input, { log: silentLog })).toMatchObject({ progress: 'wait' });
      expect(await reasons()).toEqual(before);
    }
    await world.remove();
    expect(await reasons()).toContain('SuccessfulDelete');
    expect(await world.group()).toBeUndefined();
  });

  it('is not undone by a check that runs after the AWSMachinePool was deleted', async () => {
    await world.settle();
    await world.objects.mutate(kinds.awsMachinePool, KEY, (current) => ({
      ...current,
      metadata: { ...current.metadata, finalizers: ['awsmachinepool.infrastructure.cluster.x-k8s.io'] },
    }));
    await world.objects.delete(kinds.awsMachinePool, KEY);
    await world.steps.removePool(world.input, { log: silentLog });
    await world.pass(120);
    expect(await world.callsOf(() => world.look())).toEqual([]);
    expect(await world.group()).toBeUndefined();
  });
});
