import { CreateOrUpdateTagsCommand } from '@aws-sdk/client-auto-scaling';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AWSMachinePool, kinds } from '../../shared/kinds/index.ts';
import { reconciledDigest } from '../../shared/plan/pools/digest.ts';
import { startTestDatabase, type TestDatabase } from '../../shared/store/test-table.ts';
import { KEY, startPoolWorld } from './world.ts';

let database: TestDatabase;
let world: Awaited<ReturnType<typeof startPoolWorld>>;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());
beforeEach(async () => {
  world = await startPoolWorld(database);
});
afterEach(() => world.close());

const ready = async () => {
  const [group, ...others] = await world.groups();
  expect(others).toEqual([]);
  expect(group?.Instances?.map(({ LifecycleState }) => LifecycleState)).toEqual(['InService', 'InService']);
  expect(await world.templates()).toHaveLength(1);
  expect(await world.liveInstances()).toHaveLength(2);
  expect(await world.machines()).toHaveLength(2);
  return group;
};

describe('a pool', () => {
  it('creates a launch template, a group, and a Machine for each instance', async () => {
    expect(await world.run()).toBe('done');
    const group = await ready();
    expect(group).toMatchObject({ AutoScalingGroupName: 'default.p', MinSize: 1, MaxSize: 3, DesiredCapacity: 2 });
    const awsPool = await world.awsPool();
    expect(awsPool?.status).toMatchObject({ ready: true, replicas: 2, infrastructureMachineKind: 'AWSMachine' });
    expect(awsPool?.spec?.providerIDList).toHaveLength(2);
    expect(awsPool && reconciledDigest(awsPool)).toBeDefined();
    const [instance] = await world.liveInstances();
    expect(Object.fromEntries(instance?.Tags?.map(({ Key, Value }) => [Key, Value]) ?? [])).toMatchObject({
      'windlass.dev/cluster': 'default/red',
      'windlass.dev/machine-pool': 'default/p',
      'aws:autoscaling:groupName': 'default.p',
      'kubernetes.io/cluster/red': 'owned',
    });
  });

  it('costs one read and no write if it is in its desired state', async () => {
    await world.run();
    world.calls.length = 0;
    expect(await world.run()).toBe('done');
    expect(world.calls.toSorted()).toEqual(['autoscaling:DescribeAutoScalingGroups']);
  });

  it('is scaled by its replicas, without replacing an instance', async () => {
    await world.run();
    const before = (await world.machines()).map(({ metadata }) => metadata.name);
    await world.change((pool) => ({ ...pool, spec: { ...pool.spec, replicas: 3 } }));
    expect(await world.run()).toBe('done');
    expect((await world.machines()).map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(before));
    expect(await world.machines()).toHaveLength(3);
    expect((await world.templates())[0]?.LatestVersionNumber).toBe(1);
  });

  it('follows the group if another program manages its replicas', async () => {
    const annotations = { 'cluster.x-k8s.io/replicas-managed-by': 'autoscaler' };
    await world.change((pool) => ({
      ...pool,
      metadata: { ...pool.metadata, annotations },
      spec: { ...pool.spec, replicas: 9 },
    }));
    expect(await world.run()).toBe('done');
    expect((await world.pool())?.spec.replicas).toBe(1);
  });

  it('replaces its instances for another version of Kubernetes, and not for other bootstrap data', async () => {
    await world.run();
    const before = (await world.liveInstances()).map(({ InstanceId }) => InstanceId);
    await world.objects.mutate(kinds.secret, KEY, (secret) => ({
      ...secret,
      data: { value: Buffer.from('#!/bin/sh\n').toString('base64') },
    }));
    expect(await world.run()).toBe('done');
    expect((await world.templates())[0]?.LatestVersionNumber).toBe(2);
    expect((await world.liveInstances()).map(({ InstanceId }) => InstanceId)).toEqual(before);

    const version = 'v1.34.1';
    await world.change(({ spec, ...pool }) => ({
      ...pool,
      spec: { ...spec, template: { ...spec.template, spec: { ...spec.template.spec, version } } },
    }));
    expect(await world.run()).not.toBe('failed');
    const refreshes = world.calls.filter((call) => call === 'autoscaling:StartInstanceRefresh');
    expect(refreshes).toHaveLength(1);
  });

  it.each<[string, object, string, string]>([
    [
      'sizes that exclude its replicas',
      { minSize: 3, maxSize: 3 },
      'ASGReady',
      'spec.replicas of MachinePool p is 2, not between spec.minSize 3 and spec.maxSize 3',
    ],
    [
      'a zone without a subnet',
      { availabilityZones: ['us-east-1z'] },
      'ASGReady',
      'spec.availabilityZones: the cluster has no subnet in us-east-1z',
    ],
    [
      'an image that does not exist',
      { awsLaunchTemplate: { instanceType: 't3.large', ami: { id: 'ami-00000000000000000' } } },
      'LaunchTemplateReady',
      'ami-00000000000000000',
    ],
    [
      'a profile that is not for the namespace',
      { awsLaunchTemplate: { instanceType: 't3.large', iamInstanceProfile: 'admin' } },
      'LaunchTemplateReady',
      'spec.awsLaunchTemplate.iamInstanceProfile',
    ],
  ])('reports in its conditions that it has %s, and creates nothing', async (_, spec, type, message) => {
    await world.objects.mutate(kinds.awsMachinePool, KEY, (pool) => ({
      ...pool,
      spec: { ...pool.spec, ...spec } as typeof pool.spec,
    }));
    expect(await world.run()).toBe('failed');
    const condition = (await world.awsPool())?.status?.conditions?.find((one) => one.type === type);
    expect(condition).toMatchObject({ status: 'False', severity: 'Error', message: expect.stringContaining(message) });
    expect(await world.groups()).toEqual([]);
  });

  it('does not change a group of its name that belongs to another cluster', async () => {
    await world.run();
    const owner = [
      {
        Key: 'windlass.dev/cluster',
        Value: 'other/red',
        ResourceId: 'default.p',
        ResourceType: 'auto-scaling-group',
        PropagateAtLaunch: false,
      },
    ];
    await world.autoScaling.send(new CreateOrUpdateTagsCommand({ Tags: owner }));
    await world.change((pool) => ({ ...pool, spec: { ...pool.spec, replicas: 3 } }));
    expect(await world.run()).toBe('failed');
    expect((await world.groups())[0]?.DesiredCapacity).toBe(2);
    const condition = (await world.awsPool())?.status?.conditions?.find(({ type }) => type === 'ASGReady');
    expect(condition?.message).toMatch(/default\.p exists and is left alone/);
  });

  it('is deleted with its group and its template', async () => {
    await world.run();
    await world.objects.delete(kinds.machinePool, KEY);
    await world.run();
    expect(await world.groups()).toEqual([]);
    expect(await world.templates()).toEqual([]);
    await world.pass(120);
    expect(await world.liveInstances()).toEqual([]);
  });
});

describe('a cluster that is paused while an execution of its pool begins', () => {
  const pause = (paused: boolean) => () =>
    world.objects.mutate(kinds.cluster, { namespace: 'default', name: 'red' }, (cluster) => ({
      ...cluster,
      spec: { ...cluster.spec, paused },
    }));

  it('keeps the objects of a deleted pool with its group, and deletes both later', async () => {
    await world.run();
    await world.objects.delete(kinds.machinePool, KEY);
    expect(await world.run(pause(true))).toBe('failed');
    expect(await world.groups()).toHaveLength(1);
    expect(await world.awsPool()).toBeDefined();
    expect(await world.pool()).toBeDefined();
    expect(await world.machines()).toHaveLength(2);
    await pause(false)();
    expect(await world.run()).toBe('done');
    expect(await world.groups()).toEqual([]);
  });

  it('does not record a change as applied that was not carried out, and applies it when it is resumed', async () => {
    await world.run();
    const before = reconciledDigest((await world.awsPool()) as AWSMachinePool);
    await world.change((pool) => ({ ...pool, spec: { ...pool.spec, replicas: 3 } }));
    expect(await world.run(pause(true))).toBe('failed');
    expect(reconciledDigest((await world.awsPool()) as AWSMachinePool)).toBe(before);
    await pause(false)();
    expect(await world.run()).toBe('done');
    expect(await world.machines()).toHaveLength(3);
  });
});

describe('an ended instance that its group still lists', () => {
  it('keeps the execution of the pool waiting instead of causing one execution after another', async () => {
    await world.run();
    const [machine] = await world.objects.list(kinds.awsMachine);
    const key = { namespace: 'default', name: machine?.metadata.name ?? '' };
    const setState = (instanceState: string) =>
      world.objects.mutate(kinds.awsMachine, key, (current) => ({
        ...current,
        status: { ...current.status, instanceState },
      }));
    await setState('terminated');
    expect(await world.run()).toBe('still waiting');
    await setState('running');
    await world.pass(600);
    expect(await world.run()).toBe('done');
  });
});

describe('an AWSMachinePool that is deleted without its MachinePool', () => {
  it('is removed with its group and its template, and a new AWSMachinePool creates new ones', async () => {
    await world.run();
    const { apiVersion, kind, spec } = (await world.awsPool()) as AWSMachinePool;
    await world.objects.delete(kinds.awsMachinePool, KEY);
    await world.run();
    expect(await world.groups()).toEqual([]);
    expect(await world.templates()).toEqual([]);
    expect(await world.machines()).toEqual([]);
    for (const { metadata } of await world.objects.list(kinds.machine))
      await world.objects.mutate(kinds.machine, { namespace: 'default', name: metadata.name }, (machine) => ({
        ...machine,
        metadata: { ...machine.metadata, finalizers: [] },
      }));
    await world.run();
    expect(await world.awsPool()).toBeUndefined();
    expect(await world.pool()).toBeDefined();
    await world.pass(120);
    expect(await world.liveInstances()).toEqual([]);

    const { providerID: _, providerIDList: __, ...asked } = spec as NonNullable<AWSMachinePool['spec']>;
    await world.objects.ensure(kinds.awsMachinePool, {
      apiVersion,
      kind,
      metadata: KEY,
      spec: asked,
    } as AWSMachinePool);
    expect(await world.run()).toBe('done');
    await ready();
  });
});

describe('a function that dies while it creates a pool', () => {
  it.each(['before', 'after'] as const)('%s any of its calls leaves no duplicates and nothing behind', async (when) => {
    let call = 1;
    while (await world.dieAt(call, when)) {
      expect(await world.run(), `call ${call}`).toBe('done');
      await ready();
      await world.close();
      world = await startPoolWorld(database);
      call += 1;
    }
    expect(call).toBeGreaterThan(8);
  });
});
