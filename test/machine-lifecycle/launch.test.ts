import type { RunInstancesCommandInput } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import type { ScopedInstanceDependencies } from '../../functions/providers/aws/instance/dependencies.ts';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { type AWSMachine, kinds } from '../../shared/kinds/index.ts';
import { readRecordedLaunch } from '../../shared/providers/aws/plan/launch/recorded.ts';
import { withMemory } from '../../shared/store/records/remembering-client.ts';
import {
  type Executioner,
  isObjectWrite,
  isRecordWrite,
  KilledError,
  makeExecutioner,
} from '../cluster-infrastructure/faults.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

let world: MachineWorld;

forEachTest((next) => {
  world = next;
});

const launch = (dependencies: ScopedInstanceDependencies) =>
  makeInstanceSteps(dependencies).launchInstance(world.input, context);

const isEc2Write = (method: string): boolean => /^(run|terminate|allocate|associate|release|delete|claim)/.test(method);

const recordedMachine = () => world.dependencies.objects.get(kinds.awsMachine, KEY);

const terminateUntilDone = async (): Promise<void> => {
  const steps = makeInstanceSteps(world.dependencies);
  for (let look = 0; look < 100; look += 1) {
    const { progress, waitSeconds } = await steps.terminateInstance(world.input, context);
    if (progress === 'done') return;
    world.clock.advance(Math.max(1, waitSeconds));
  }
  throw new Error('the instance was never gone');
};

/** The dependencies of a run that the executioner may kill at its writes. */
const guardedBy = async (executioner: Executioner): Promise<ScopedInstanceDependencies> => {
  const { dependencies } = world;
  const scope = await controllerScopeOf(undefined);
  const stores = dependencies.stores(scope);
  const ec2 = executioner.guard(dependencies.ec2(scope), isEc2Write);
  const bootstrapSecrets = executioner.guard(stores.bootstrapSecrets, () => true);
  return {
    ...dependencies,
    // An object and its record are written one after the other: a run may die in between.
    objects: withMemory(
      executioner.guard(world.stored, isObjectWrite),
      executioner.guard(world.records, isRecordWrite),
    ),
    ec2: () => ec2,
    stores: () => ({ ...stores, bootstrapSecrets }),
  };
};

/** A run with a crash at its k-th write; true if it crashed, and false if it had fewer writes. */
const killedAt = async (at: number, when: 'before' | 'after'): Promise<boolean> => {
  const guarded = await guardedBy(makeExecutioner(at, when));
  try {
    await launch(guarded);
    return false;
  } catch (error) {
    if (error instanceof KilledError) return true;
    throw error;
  }
};

/** The writes of a launch. */
const WRITES = 9;
const POINTS = Array.from({ length: WRITES }, (_, index) => index + 1).flatMap((at) =>
  (['before', 'after'] as const).map((when) => ({ at, when })),
);

describe('launching a machine', () => {
  it('launches one instance, tagged and with its data in a secret, and a second run changes nothing', async () => {
    await launch(world.dependencies);
    await launch(world.dependencies);

    const machine = await recordedMachine();
    expect(await world.liveInstances()).toEqual([machine?.spec.instanceID]);
    expect(machine?.spec.providerID).toMatch(/^aws:\/\/\/us-east-1[a-f]\/i-[0-9a-f]{17}$/);
    const prefix = machine?.spec.cloudInit?.secretPrefix;
    expect(prefix).toMatch(/^aws\.cluster\.x-k8s\.io\/[0-9a-f-]{36}$/);
    expect([...world.secrets.keys()]).toEqual([`${prefix}-0`]);
    expect(JSON.stringify(machine)).not.toContain('cloud-config');
  });

  it('makes as many writes as there are kill points below', async () => {
    const counter = makeExecutioner(Number.POSITIVE_INFINITY, 'after');
    await launch(await guardedBy(counter));
    expect(counter.count).toBe(WRITES);
  });

  it.each(POINTS)(
    'creates exactly one instance when the run dies $when write $at and runs again',
    async ({ at, when }) => {
      expect(await killedAt(at, when)).toBe(true);
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
      expect(await killedAt(at, when)).toBe(true);
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
    const { request } = readRecordedLaunch((await recordedMachine()) as AWSMachine) ?? {};
    await world.dependencies.objects.mutate(kinds.awsCluster, { namespace: 'default', name: 'red' }, (cluster) => ({
      ...cluster,
      spec: { ...cluster.spec, additionalTags: { changed: 'yes' } },
    }));
    const ec2 = world.dependencies.ec2(await controllerScopeOf(undefined));
    const sent: RunInstancesCommandInput[] = [];
    const run: typeof ec2.run = (input) => {
      sent.push(input);
      return ec2.run(input);
    };
    await launch({ ...world.dependencies, ec2: () => ({ ...ec2, run }) });

    expect(sent.map(({ UserData: _, ...rest }) => rest)).toEqual([request]);
    expect(JSON.stringify(request?.TagSpecifications)).not.toContain('changed');
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
