/** A Dedicated Host for one machine: allocated once, whatever crashes happen, and released with the machine. */
import { expect, it } from 'vitest';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import type { ScopedInstanceDependencies } from '../../functions/providers/aws/instance/dependencies.ts';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { type Event, kinds } from '../../shared/kinds/index.ts';
import type { ProgressResult } from '../../shared/work/payloads.ts';
import { KilledError, makeExecutioner } from '../cluster-infrastructure/faults.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

const SPEC = {
  instanceType: 'm5.large',
  tenancy: 'host' as const,
  hostAffinity: 'host' as const,
  dynamicHostAllocation: { tags: { licence: 'per-socket', Name: 'own' } },
};

let world: MachineWorld;

forEachTest(
  (next) => {
    world = next;
  },
  { spec: SPEC },
);

const hosts = () => world.account.ec2().dedicatedHosts.all();
const held = () => hosts().filter(({ isReleased }) => !isReleased);
const machine = () => world.dependencies.objects.get(kinds.awsMachine, KEY);

const until = async (look: () => Promise<ProgressResult>): Promise<ProgressResult> => {
  for (let looks = 0; looks < 100; looks += 1) {
    const result = await look();
    if (result.progress !== 'wait') return result;
    world.clock.advance(result.waitSeconds);
  }
  throw new Error('it was never done');
};

const provision = async (dependencies: ScopedInstanceDependencies = world.dependencies): Promise<ProgressResult> => {
  const steps = makeInstanceSteps(dependencies);
  // Retries as the workflow does, because not every call sees new resources.
  for (let tries = 0; ; tries += 1) {
    try {
      await steps.launchInstance(world.input, context);
      break;
    } catch (error) {
      if (tries > 9 || (error as Error).name !== 'InvalidHostID.NotFound') throw error;
      world.clock.advance(2);
    }
  }
  return until(() => steps.observeInstance(world.input, context));
};

const remove = () => until(() => makeInstanceSteps(world.dependencies).terminateInstance(world.input, context));

/** Crashes right after its first call of a kind has taken effect. */
const dieAfter = async (method: string): Promise<void> => {
  const executioner = makeExecutioner(1, 'after');
  const port = world.dependencies.ec2(await controllerScopeOf(undefined));
  const ec2 = executioner.guard(port, (name) => name === method);
  await expect(provision({ ...world.dependencies, ec2: () => ec2 })).rejects.toThrow(KilledError);
};

it('a dedicated host is allocated with its tags, holds the instance, and is released when the machine is removed', async () => {
  expect(await provision()).toMatchObject({ progress: 'done' });

  const [host] = held();
  const found = await machine();
  expect(found?.status?.dedicatedHost?.id).toBe(host?.id);
  expect(Object.fromEntries(host?.tags ?? [])).toMatchObject({
    licence: 'per-socket',
    Name: 'own',
    'sigs.k8s.io/cluster-api-provider-aws/cluster/red': 'owned',
  });
  const instance = world.account.ec2().instances.find(found?.spec.instanceID ?? '');
  expect(instance?.placement).toMatchObject({ HostId: host?.id, Tenancy: 'host', Affinity: 'host' });

  expect(await remove()).toMatchObject({ progress: 'done' });
  expect(held()).toEqual([]);
  const events = await world.dependencies.objects.list<Event>(kinds.event);
  const reasons = events.map(({ reason }) => reason);
  expect(reasons).toEqual(expect.arrayContaining(['SuccessfulAllocateDedicatedHost', 'SuccessfulReleaseHost']));
});

it.each(['allocateHost', 'run'])(
  'a dedicated host is allocated once although the response to %s was lost',
  async (method) => {
    world.account.settings.consistencyMilliseconds = method === 'run' ? 0 : 8000;
    await dieAfter(method);
    await provision();
    expect(held()).toHaveLength(1);
    expect(await world.liveInstances()).toHaveLength(1);
  },
);

it('a dedicated host is released if the machine is deleted before it is launched', async () => {
  world.account.settings.consistencyMilliseconds = 8000;
  await dieAfter('allocateHost');
  await remove();
  expect(held()).toEqual([]);
});

it('a dedicated host is replaced by one of another type if EC2 has no capacity on it', async () => {
  const annotations = { 'windlass.dev/instance-types': 'm5.large,m6i.large' };
  await world.dependencies.objects.mutate(kinds.awsMachine, KEY, (current) => ({
    ...current,
    metadata: { ...current.metadata, annotations },
  }));
  world.account.failNext('ec2', 'RunInstances', { code: 'InsufficientCapacityOnHost', message: 'full', times: 1 });
  expect(await provision()).toMatchObject({ progress: 'done' });
  expect(held().map(({ instanceType }) => instanceType)).toEqual(['m6i.large']);
  expect(hosts()).toHaveLength(2);
});

it('a dedicated host is released even if EC2 refuses the instance and does not show the host yet', async () => {
  const port = world.dependencies.ec2(await controllerScopeOf(undefined));
  const end = world.clock.now().getTime() + 90_000;
  const heldHosts: typeof port.heldHosts = async (owner) =>
    world.clock.now().getTime() < end ? [] : port.heldHosts(owner);
  const dependencies = { ...world.dependencies, ec2: () => ({ ...port, heldHosts }) };
  world.account.failNext('ec2', 'RunInstances', { code: 'InvalidAMIID.NotFound' });
  await expect(provision(dependencies)).rejects.toMatchObject({ name: 'Refused' });
  expect(held()).toHaveLength(1);

  await until(() => makeInstanceSteps(dependencies).terminateInstance(world.input, context));
  expect(held()).toEqual([]);
});

it('a dedicated host is released if the AWSMachine was removed despite its finalizer', async () => {
  await provision();
  const { objects } = world.dependencies;
  await objects.delete(kinds.awsMachine, (await machine()) as never);
  await objects.mutate(kinds.awsMachine, KEY, (current) => ({
    ...current,
    metadata: { ...current.metadata, finalizers: [] },
  }));
  expect(await machine()).toBeUndefined();

  expect(await remove()).toMatchObject({ progress: 'done' });
  expect(held()).toEqual([]);
  expect(await world.liveInstances()).toEqual([]);
});
