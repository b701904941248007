import { DescribeInstanceRefreshesCommand } from '@aws-sdk/client-auto-scaling';
import { CreateVolumeCommand, DescribeLaunchTemplatesCommand } from '@aws-sdk/client-ec2';
import { afterEach, describe, expect, it } from 'vitest';
import { IdentityError } from '../../functions/providers/aws/identity/identity-error.ts';
import { makePoolGroupSteps } from '../../functions/providers/aws/machine-pool/steps.ts';
import { attach } from '../../infra/local/engines/ec2/instances/volumes.ts';
import { type Event, kinds } from '../../shared/kinds/index.ts';
import { silentLog } from '../../shared/log.ts';
import { KEY, type PoolWorld, startPoolWorld } from './world.ts';

let world: PoolWorld;
afterEach(() => world?.close());

const start = async (spec: object = {}): Promise<PoolWorld> => {
  world = await startPoolWorld(spec);
  return world;
};

const conditionOf = async (type: string) =>
  (await world.infrastructure()).status?.conditions?.find((one) => one.type === type);

const refreshes = async () => {
  const { AutoScalingGroupName } = (await world.group()) ?? {};
  const found = await world.autoScaling.send(new DescribeInstanceRefreshesCommand({ AutoScalingGroupName }));
  return found.InstanceRefreshes ?? [];
};

const changes = (calls: readonly string[]): string[] =>
  calls.filter((call) => !call.includes(':Describe')).map((call) => call.replace(/^.*:/, ''));

describe('the group of a pool', () => {
  it('is created with its launch template, and its instances get AWSMachines', async () => {
    await start();
    expect(await world.settle()).toEqual({ progress: 'done', waitSeconds: 0 });
    const group = await world.group();
    expect(group).toMatchObject({ MinSize: 0, MaxSize: 5, DesiredCapacity: 2, DefaultCooldown: 300 });
    const ids = (group?.Instances ?? []).map(({ InstanceId }) => InstanceId).sort();
    const machines = await world.machines();
    expect(machines.map(({ spec }) => spec.instanceID).sort()).toEqual(ids);
    const infrastructure = await world.infrastructure();
    expect(infrastructure.spec?.providerIDList).toHaveLength(2);
    expect(infrastructure.status).toMatchObject({ ready: true, replicas: 2, launchTemplateVersion: '1' });
    expect(await conditionOf('Ready')).toMatchObject({ status: 'True' });
  });

  it('has no key pair if the pool names none, as in upstream', async () => {
    await start();
    await world.settle();
    const [version] = await world.versions();
    expect(version?.LaunchTemplateData?.KeyName).toBeUndefined();
  });

  it('costs one call while nothing changes', async () => {
    await start();
    await world.settle();
    expect(await world.callsOf(() => world.look())).toEqual(['autoscaling:DescribeAutoScalingGroups']);
  });

  it('grows, shrinks, and may be empty', async () => {
    await start();
    await world.changePool({ replicas: 0 });
    await world.settle();
    expect(await world.machines()).toHaveLength(0);
    for (const replicas of [3, 1, 0]) {
      await world.changePool({ replicas });
      await world.settle();
      expect((await world.group())?.DesiredCapacity).toBe(replicas);
      expect((await world.infrastructure()).status?.replicas).toBe(replicas);
    }
  });

  it('determines the replicas if another program manages them', async () => {
    await start();
    await world.changePool({}, { 'cluster.x-k8s.io/replicas-managed-by': 'external-autoscaler' });
    await world.settle();
    const { AutoScalingGroupName, DesiredCapacity } = (await world.group()) ?? {};
    expect(DesiredCapacity).toBe(2);
    const { SetDesiredCapacityCommand } = await import('@aws-sdk/client-auto-scaling');
    await world.autoScaling.send(new SetDesiredCapacityCommand({ AutoScalingGroupName, DesiredCapacity: 4 }));
    await world.settle();
    expect((await world.objects.get(kinds.machinePool, KEY))?.spec.replicas).toBe(4);
    expect((await world.group())?.DesiredCapacity).toBe(4);
  });

  it('is not created if the replicas are out of bounds, and the condition names the fields', async () => {
    await start({ maxSize: 1 });
    expect(await world.settle()).toMatchObject({ progress: 'failed' });
    const message = expect.stringMatching(/replicas.*2.*minSize 0.*maxSize 1/);
    expect(await conditionOf('ASGReady')).toMatchObject({ status: 'False', reason: 'ASGProvisionFailed', message });
    expect(await world.group()).toBeUndefined();
  });

  it('is deleted with its instances and its template', async () => {
    await start();
    await world.settle();
    expect(await world.remove()).toEqual({ progress: 'done', waitSeconds: 0 });
    expect(await world.group()).toBeUndefined();
    const { LaunchTemplates } = await world.ec2.send(new DescribeLaunchTemplatesCommand({}));
    expect(LaunchTemplates).toEqual([]);
  });

  it('claims the volumes of pods on its instances if the cluster is deleted with its volumes', async () => {
    await start();
    await world.settle();
    const { objects, ec2, aws } = world;
    const [{ InstanceId = '' } = {}] = (await world.group())?.Instances ?? [];
    const Tags = [
      { Key: 'kubernetes.io/cluster/red', Value: 'owned' },
      { Key: 'CSIVolumeName', Value: 'pvc-1' },
    ];
    const TagSpecifications = [{ ResourceType: 'volume' as const, Tags }];
    const volume = { AvailabilityZone: 'us-east-1a', Size: 8, TagSpecifications };
    const { VolumeId: id = '' } = await ec2.send(new CreateVolumeCommand(volume));
    attach(aws.account.ec2(), { id }, InstanceId);
    const red = { ...KEY, name: 'red' };
    await objects.mutate(kinds.awsCluster, red, (one) => ({
      ...one,
      metadata: { ...one.metadata, annotations: { 'windlass.dev/volumes': 'Delete' } },
    }));
    const finalizers = ['cluster.cluster.x-k8s.io'];
    await objects.mutate(kinds.cluster, red, (one) => ({ ...one, metadata: { ...one.metadata, finalizers } }));
    await objects.delete(kinds.cluster, red);
    await world.remove();
    expect(aws.account.ec2().volumes.get(id).tags.get('windlass.dev/cluster')).toBe('default/red');
    const told = (await objects.list<Event>(kinds.event)).filter(({ reason }) => reason === 'SuccessfulTagVolumes');
    expect(told.map(({ message }) => message)).toEqual([expect.stringContaining(id)]);
  });
});

describe('a pool whose cluster has no usable identity', () => {
  const denied = new IdentityError('retrieval', 'no such role');
  const removal = async (dependencies: PoolWorld['dependencies']) => {
    const steps = makePoolGroupSteps({ ...dependencies, scopeOf: () => Promise.reject(denied) });
    return steps.removePool(world.input, { log: silentLog });
  };

  it('is deleted if nothing was created for it, and waits otherwise', async () => {
    await start();
    expect(await removal(world.dependencies)).toMatchObject({ progress: 'done' });
    await world.settle();
    await expect(removal(world.dependencies)).rejects.toThrow('no such role');
  });
});

describe('a change', () => {
  it('of the bootstrap token alone creates a version and replaces no instance', async () => {
    await start();
    await world.settle();
    const before = (await world.machines()).map(({ spec }) => spec.instanceID).sort();
    await world.renewData('#cloud-config\n# another token\n');
    await world.settle();
    expect(await world.versions()).toHaveLength(2);
    expect(await refreshes()).toEqual([]);
    expect((await world.group())?.Instances?.map(({ InstanceId }) => InstanceId).sort()).toEqual(before);
  });

  it('of the template replaces all instances, once', async () => {
    await start();
    await world.settle();
    await world.changeInfrastructure({ awsLaunchTemplate: { instanceType: 'm5.large' } });
    await world.settle();
    expect((await refreshes()).map(({ Status }) => Status)).toEqual(['Successful']);
    expect((await world.group())?.Instances?.map(({ InstanceType }) => InstanceType)).toEqual(['m5.large', 'm5.large']);
    expect(await conditionOf('InstanceRefreshStarted')).toMatchObject({ status: 'True' });
    expect(changes(await world.callsOf(() => world.look()))).toEqual([]);
  });

  it('of the template replaces no instance if the pool disables that', async () => {
    await start({ refreshPreferences: { disable: true } });
    await world.settle();
    await world.changeInfrastructure({ awsLaunchTemplate: { instanceType: 'm5.large' } });
    await world.settle();
    expect(await world.versions()).toHaveLength(2);
    expect(await refreshes()).toEqual([]);
  });

  it('of the protection from scale-in affects new instances, which an instance refresh still replaces', async () => {
    await start();
    await world.settle();
    await world.changeInfrastructure({}, { 'windlass.dev/scale-in-protection': 'Enabled' });
    await world.settle();
    const group = await world.group();
    expect(group?.NewInstancesProtectedFromScaleIn).toBe(true);
    expect(group?.Instances?.map(({ ProtectedFromScaleIn }) => ProtectedFromScaleIn)).toEqual([false, false]);
    for (const instanceType of ['m5.large', 'm5.xlarge']) {
      await world.changeInfrastructure({ awsLaunchTemplate: { instanceType } });
      await world.settle();
    }
    expect((await refreshes()).map(({ Status }) => Status)).toEqual(['Successful', 'Successful']);
    expect((await world.group())?.Instances?.map(({ ProtectedFromScaleIn }) => ProtectedFromScaleIn)).toEqual([
      true,
      true,
    ]);
    expect(changes(await world.callsOf(() => world.look()))).toEqual([]);
  });

  it('of the tags during a replacement removes those that are no longer wanted', async () => {
    await start({ additionalTags: { tier: 'b' } });
    await world.settle();
    await world.changeInfrastructure({ awsLaunchTemplate: { instanceType: 'm5.large' } });
    while ((await refreshes()).length === 0) await world.look();
    await world.pass(5);
    await world.changeInfrastructure({ additionalTags: {} });
    await world.settle();
    expect((await refreshes()).map(({ Status }) => Status)).toEqual(['Successful', 'Cancelled']);
    expect((await world.group())?.Tags?.map(({ Key }) => Key)).not.toContain('tier');
  });

  it('during a replacement cancels it and starts another', async () => {
    await start();
    await world.settle();
    await world.changeInfrastructure({ awsLaunchTemplate: { instanceType: 'm5.large' } });
    while ((await refreshes()).length === 0) await world.look();
    await world.pass(5);
    await world.changeInfrastructure({ awsLaunchTemplate: { instanceType: 'm5.xlarge' } });
    await world.settle();
    expect((await refreshes()).map(({ Status }) => Status)).toEqual(['Successful', 'Cancelled']);
    expect((await world.group())?.Instances?.map(({ InstanceType }) => InstanceType)).toEqual([
      'm5.xlarge',
      'm5.xlarge',
    ]);
  });

  it('of the bootstrap data back and forth keeps few versions', async () => {
    await start({ refreshPreferences: { disable: true } });
    await world.changePool({ replicas: 0 });
    await world.settle();
    for (let turn = 0; turn < 9; turn += 1) {
      await world.renewData(`#cloud-config\n# token ${turn % 2}\n`);
      await world.settle();
    }
    expect((await world.versions()).length).toBeLessThanOrEqual(6);
    const [last] = (await world.versions()).slice(-1);
    expect(Buffer.from(last?.LaunchTemplateData?.UserData ?? '', 'base64').toString()).toContain('# token 0');
  });

  it('that removes the distribution of spot and on-demand instances restores AWS’s defaults', async () => {
    const distribution = async () => (await world.group())?.MixedInstancesPolicy?.InstancesDistribution;
    const policy = { overrides: [{ instanceType: 't3.large' }] };
    await start({ mixedInstancesPolicy: policy });
    await world.settle();
    const before = await distribution();
    expect(changes(await world.callsOf(() => world.settle()))).toEqual([]);
    const instancesDistribution = { onDemandBaseCapacity: 1, onDemandPercentageAboveBaseCapacity: 50 };
    await world.changeInfrastructure({ mixedInstancesPolicy: { ...policy, instancesDistribution } });
    await world.settle();
    expect(await distribution()).not.toEqual(before);
    await world.changeInfrastructure({ mixedInstancesPolicy: policy });
    await world.settle();
    expect(await distribution()).toEqual(before);
  });

  it('of the group’s settings updates the group', async () => {
    await start();
    await world.settle();
    const transition = { lifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING', heartbeatTimeout: '30s' };
    const hook = { name: 'mine', ...transition, defaultResult: 'CONTINUE' };
    await world.changeInfrastructure({
      ...{ maxSize: 9, capacityRebalance: true, defaultCoolDown: '1m' },
      suspendProcesses: { processes: { azRebalance: true } },
      additionalTags: { team: 'a' },
      lifecycleHooks: [hook],
    });
    const calls = changes(await world.callsOf(() => world.settle()));
    expect(calls).toContain('UpdateAutoScalingGroup');
    expect(calls).toContain('SuspendProcesses');
    expect(calls).toContain('PutLifecycleHook');
    expect(await world.group()).toMatchObject({ MaxSize: 9, CapacityRebalance: true, DefaultCooldown: 60 });
    await world.changeInfrastructure({ additionalTags: {}, lifecycleHooks: [], suspendProcesses: {} });
    const back = changes(await world.callsOf(() => world.settle()));
    expect(back).toContain('ResumeProcesses');
    expect(back).toContain('DeleteLifecycleHook');
    expect((await world.group())?.Tags?.map(({ Key }) => Key)).not.toContain('team');
  });
});
