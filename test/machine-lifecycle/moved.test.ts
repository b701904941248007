/** Objects that are moved to another installation during a launch: records stay behind, and uids are new. */
import { describe, expect, it } from 'vitest';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { type AWSMachine, kinds, type Machine } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import { readRecordedLaunch } from '../../shared/providers/aws/plan/launch/recorded.ts';
import { withMemory } from '../../shared/store/records/remembering-client.ts';
import { isObjectWrite, isRecordWrite, KilledError, makeExecutioner } from '../cluster-infrastructure/faults.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

let world: MachineWorld;
forEachTest((next) => {
  world = next;
});

const launch = (dependencies = world.dependencies) =>
  makeInstanceSteps(dependencies).launchInstance(world.input, context);

/** A launch with a crash after its k-th effect; false if it had fewer. */
const diesAfter = async (at: number): Promise<boolean> => {
  const executioner = makeExecutioner(at, 'after');
  const { dependencies } = world;
  const ec2 = executioner.guard(dependencies.ec2({} as never), (method) => method === 'run');
  const objects = withMemory(
    executioner.guard(world.stored, isObjectWrite),
    executioner.guard(world.records, isRecordWrite),
  );
  try {
    await launch({ ...dependencies, objects, ec2: () => ec2 });
    return false;
  } catch (error) {
    if (error instanceof KilledError) return true;
    throw error;
  }
};

const bare = <T extends KubeObject>({ metadata, ...object }: T): T => {
  const { uid: _, resourceVersion: __, managedFields: ___, creationTimestamp: ____, ...rest } = metadata;
  return { ...object, metadata: rest } as T;
};

/** Reads the served objects and creates them again with new uids, as clusterctl does. */
const move = async (): Promise<void> => {
  const clusterctl = world.as('clusterctl');
  for (const resource of [kinds.awsMachine as never, kinds.machine] as ResourceDefinition<Machine>[]) {
    const { status: _, ...served } = (await clusterctl.get(resource, KEY)) as Machine;
    await clusterctl.delete(resource, KEY);
    await clusterctl.mutate(resource, KEY, (current) => ({
      ...current,
      metadata: { ...current.metadata, finalizers: [] },
    }));
    await clusterctl.ensure(resource, bare(served as Machine));
  }
  const { uid = '' } = (await clusterctl.get(kinds.machine, KEY))?.metadata ?? {};
  expect(uid).not.toBe(world.input.machine.uid);
  world.input.machine.uid = uid;
  await world.dependencies.work.beginMachine(world.input.machine, world.input.holder, 1_000_000);
};

const remove = async (): Promise<void> => {
  await world.dependencies.objects.delete(kinds.machine, KEY);
  for (let look = 0; look < 100; look += 1) {
    const { progress, waitSeconds } = await makeInstanceSteps(world.dependencies).terminateInstance(
      world.input,
      context,
    );
    if (progress === 'done') return;
    world.clock.advance(Math.max(1, waitSeconds));
  }
  throw new Error('the instance was never gone');
};

describe('a machine that is moved in the middle of its launch', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'has one instance afterwards, and none once it is deleted: moved after write %i',
    async (at) => {
      await diesAfter(at);
      const before = await world.liveInstances();

      await move();
      await launch();

      const live = await world.liveInstances();
      const found = (await world.dependencies.objects.get(kinds.awsMachine, KEY)) as AWSMachine;
      expect(live).toEqual([found.spec.instanceID]);
      if (before.length > 0) expect(live).toEqual(before);
      await remove();
      expect(await world.liveInstances()).toEqual([]);
    },
  );

  it('is moved without the record of its launch', async () => {
    await diesAfter(3);
    await move();

    const found = (await world.dependencies.objects.get(kinds.awsMachine, KEY)) as AWSMachine;
    expect(readRecordedLaunch(found)).toBeUndefined();
  });

  it.each([
    { what: 'its cluster', kind: kinds.cluster, name: 'red' },
    { what: 'it', kind: kinds.machine, name: KEY.name },
    { what: 'its AWSMachine', kind: kinds.awsMachine, name: KEY.name },
  ])('is no longer launched at its origin once $what is paused', async ({ kind, name }) => {
    await world.stored.mutate(kind as typeof kinds.machine, { ...KEY, name }, (current) => ({
      ...current,
      metadata: {
        ...current.metadata,
        annotations: { ...current.metadata.annotations, 'cluster.x-k8s.io/paused': '' },
      },
    }));

    await launch();

    expect(await world.liveInstances()).toEqual([]);
    expect(await makeInstanceSteps(world.dependencies).observeInstance(world.input, context)).toMatchObject({
      progress: 'failed',
    });
  });
});
