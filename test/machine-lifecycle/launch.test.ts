import { describe, expect, it } from 'vitest';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import type { ScopedInstanceDependencies } from '../../functions/providers/aws/instance/dependencies.ts';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { withMemory } from '../../shared/store/records/remembering-client.ts';
import { isObjectWrite, isRecordWrite, KilledError, makeExecutioner } from '../cluster-infrastructure/faults.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

let world: MachineWorld;

forEachTest((next) => {
  world = next;
});

const launch = (dependencies: ScopedInstanceDependencies) =>
  makeInstanceSteps(dependencies).launchInstance(world.input, context);

const terminateUntilDone = async (): Promise<void> => {
  const steps = makeInstanceSteps(world.dependencies);
  for (let look = 0; look < 100; look += 1) {
    const { progress, waitSeconds } = await steps.terminateInstance(world.input, context);
    if (progress === 'done') return;
    world.clock.advance(Math.max(1, waitSeconds));
  }
  throw new Error('the instance was never gone');
};

/** A run with a crash at its k-th write; true if it crashed, and false if it had fewer writes. */
const killedAt = async (at: number, when: 'before' | 'after'): Promise<boolean> => {
  const executioner = makeExecutioner(at, when);
  const { dependencies } = world;
  const scope = await controllerScopeOf(undefined);
  const stores = dependencies.stores(scope);
  const ec2 = executioner.guard(dependencies.ec2(scope), (method) => ['run', 'terminate'].includes(method));
  const bootstrapSecrets = executioner.guard(stores.bootstrapSecrets, () => true);
  const guarded: ScopedInstanceDependencies = {
    ...dependencies,
    // An object and its record are written one after the other: a run may die in between.
    objects: withMemory(
      executioner.guard(world.stored, isObjectWrite),
      executioner.guard(world.records, isRecordWrite),
    ),
    ec2: () => ec2,
    stores: () => ({ ...stores, bootstrapSecrets }),
  };
  try {
    await launch(guarded);
    return false;
  } catch (error) {
    if (error instanceof KilledError) return true;
    throw error;
  }
};

const POINTS = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((at) =>
  (['before', 'after'] as const).map((when) => ({ at, when })),
);

describe('launching a machine', () => {
  it('launches one instance, tagged and with its data in a secret, and a second run changes nothing', async () => {
    await launch(world.dependencies);
    await launch(world.dependencies);

    const machine = await world.dependencies.objects.get(kinds.awsMachine, KEY);
    expect(await world.liveInstances()).toEqual([machine?.spec.instanceID]);
    expect(machine?.spec.providerID).toMatch(/^aws:\/\/\/us-east-1[a-f]\/i-[0-9a-f]{17}$/);
    const prefix = machine?.spec.cloudInit?.secretPrefix;
    expect(prefix).toMatch(/^aws\.cluster\.x-k8s\.io\/[0-9a-f-]{36}$/);
    expect([...world.secrets.keys()]).toEqual([`${prefix}-0`]);
    expect(JSON.stringify(machine)).not.toContain('cloud-config');
  });

  it('needs at least six writes, so that the kill points below are reached', async () => {
    expect(await killedAt(6, 'before')).toBe(true);
    expect(await killedAt(100, 'before')).toBe(false);
  });

  it.each(POINTS)(
    'creates exactly one instance when the run dies $when write $at and runs again',
    async ({ at, when }) => {
      await killedAt(at, when);
      await launch(world.dependencies);

      expect(await world.liveInstances()).toHaveLength(1);
      expect(world.secrets.size).toBe(1);
    },
  );

  it('terminates the instance of a machine whose AWSMachine was removed by force', async () => {
    await launch(world.dependencies);
    const { objects } = world.dependencies;
    await objects.mutate(kinds.awsMachine, KEY, ({ metadata, ...rest }) => ({
      ...rest,
      metadata: { ...metadata, finalizers: [] },
    }));
    await objects.delete(kinds.awsMachine, KEY);
    expect(await objects.get(kinds.awsMachine, KEY)).toBeUndefined();

    await terminateUntilDone();
    expect(await world.liveInstances()).toEqual([]);
  });

  it.each(POINTS)(
    'leaves no instance and no secret when the run dies $when write $at and the machine is removed',
    async ({ at, when }) => {
      await killedAt(at, when);
      await terminateUntilDone();

      expect(await world.liveInstances()).toEqual([]);
      expect(world.secrets.size).toBe(0);
    },
  );

  it('creates one instance in three concurrent runs', async () => {
    await Promise.all([launch(world.dependencies), launch(world.dependencies), launch(world.dependencies)]);
    expect(await world.liveInstances()).toHaveLength(1);
    expect(world.secrets.size).toBe(1);
  });

  it('repeats the recorded request, even if the tags of the cluster were changed since', async () => {
    expect(await killedAt(4, 'after')).toBe(true);
    await world.dependencies.objects.mutate(kinds.awsCluster, { namespace: 'default', name: 'red' }, (cluster) => ({
      ...cluster,
      spec: { ...cluster.spec, additionalTags: { changed: 'yes' } },
    }));
    await launch(world.dependencies);
    expect(await world.liveInstances()).toHaveLength(1);
  });

  it('fails with the AWS error if a quota of the account is used up, and succeeds in the next run', async () => {
    world.account.failNext('ec2', 'RunInstances', {
      code: 'VcpuLimitExceeded',
      message: 'You have requested more vCPU capacity',
      times: 1,
    });
    await expect(launch(world.dependencies)).rejects.toMatchObject({ name: 'VcpuLimitExceeded' });
    await launch(world.dependencies);
    expect(await world.liveInstances()).toHaveLength(1);
  });
});
