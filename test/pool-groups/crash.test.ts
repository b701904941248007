import { CompleteLifecycleActionCommand, DescribeLifecycleHooksCommand } from '@aws-sdk/client-auto-scaling';
import { DescribeLaunchTemplatesCommand } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { makePoolGroupSteps } from '../../functions/providers/aws/machine-pool/steps.ts';
import { silentLog } from '../../shared/log.ts';
import type { Executioner } from '../cluster-infrastructure/faults.ts';
import { isObjectWrite } from '../cluster-infrastructure/faults.ts';
import { deathsThatMatter, nobody, untilDeath } from '../crash-points/points.ts';
import { type PoolWorld, startPoolWorld } from './world.ts';

const isWrite = (method: string): boolean =>
  !/^(describe|latest|hooks$|subnets|securityGroups|owners|images|arch)/.test(method);

/** The steps of a pool whose process crashes at one of its effects. */
const stepsOf = ({ dependencies }: PoolWorld, executioner: Executioner) => {
  const ports = dependencies.pools({} as never);
  const guarded = {
    ...ports,
    groups: executioner.guard(ports.groups, isWrite),
    templates: executioner.guard(ports.templates, isWrite),
    bootstrapObjects: executioner.guard(ports.bootstrapObjects, () => true),
  };
  const objects = executioner.guard(dependencies.objects, isObjectWrite);
  return makePoolGroupSteps({ ...dependencies, objects, pools: () => guarded });
};

/** Ends the waits of instances, as the removal of the Machines does, so that none waits for its hook's timeout. */
const letInstancesGo = async ({ autoScaling, group }: PoolWorld): Promise<void> => {
  const { AutoScalingGroupName, Instances = [] } = (await group()) ?? {};
  const waiting = Instances.filter(({ LifecycleState }) => LifecycleState === 'Terminating:Wait');
  if (waiting.length === 0) return;
  const { LifecycleHooks = [] } = await autoScaling.send(new DescribeLifecycleHooksCommand({ AutoScalingGroupName }));
  const [hook] = LifecycleHooks.filter(({ LifecycleTransition = '' }) => LifecycleTransition.endsWith('TERMINATING'));
  for (const { InstanceId } of waiting)
    await autoScaling.send(
      new CompleteLifecycleActionCommand({
        ...{ AutoScalingGroupName, InstanceId, LifecycleHookName: hook?.LifecycleHookName },
        LifecycleActionResult: 'CONTINUE',
      }),
    );
};

const run = async (world: PoolWorld, step: 'reconcilePool' | 'removePool', executioner: Executioner): Promise<void> => {
  const steps = stepsOf(world, executioner);
  const since = world.aws.clock.now().toISOString();
  for (let looks = 0; looks < 100; looks += 1) {
    const progress = await steps[step]({ ...world.input, since }, { log: silentLog });
    if (progress.progress !== 'wait') return;
    await world.pass(progress.waitSeconds);
    await letInstancesGo(world);
  }
  throw new Error('the pool does not settle');
};

/** Warm-ups of five minutes are checked many times, with the same result. */
const TIME_SCALE = 0.05;

const inWorld = async <T>(work: (world: PoolWorld) => Promise<T>): Promise<T> => {
  const world = await startPoolWorld({ ignition: { version: '3.3', storageType: 'ClusterObjectStore' } }, TIME_SCALE);
  try {
    await world.renewData('{"ignition":{"version":"3.3.0"}}', 'ignition');
    return await work(world);
  } finally {
    await world.close();
  }
};

/** Everything that may exist too often or not at all, without values that differ in each run. */
const inventory = async (world: PoolWorld) => {
  const group = await world.group();
  const { LaunchTemplates = [] } = await world.ec2.send(new DescribeLaunchTemplatesCommand({}));
  const infrastructure = await world.infrastructure();
  const ids = (group?.Instances ?? []).map(({ InstanceId }) => InstanceId).sort();
  const machines = (await world.machines()).map(({ spec }) => spec.instanceID);
  return {
    group: group && [group.DesiredCapacity, group.MinSize, group.MaxSize, group.Instances?.length],
    types: [...new Set(group?.Instances?.map(({ InstanceType }) => InstanceType))],
    templates: LaunchTemplates.length,
    hasMachines: ids.every((id) => machines.includes(id)),
    objects: world.stored.size,
    listed: infrastructure.spec?.providerIDList?.length,
    ready: infrastructure.status?.ready,
    conditions: infrastructure.status?.conditions?.map(({ type, status }) => `${type} ${status}`),
  };
};

describe('the group of a pool', () => {
  it('is created once, wherever its execution dies', async () => {
    const { count, end, failures } = await deathsThatMatter(4, (executioner) =>
      inWorld(async (world) => {
        await untilDeath(run(world, 'reconcilePool', executioner));
        await run(world, 'reconcilePool', nobody());
        return inventory(world);
      }),
    );
    expect(end).toMatchObject({ group: [2, 0, 5, 2], templates: 1, hasMachines: true, objects: 1, listed: 2 });
    expect(count).toBeGreaterThan(5);
    expect(failures).toEqual([]);
  });

  it('has its instances replaced, wherever the execution dies', async () => {
    const { end, failures } = await deathsThatMatter(8, (executioner) =>
      inWorld(async (world) => {
        await run(world, 'reconcilePool', nobody());
        await world.changeInfrastructure({ awsLaunchTemplate: { instanceType: 'm5.large' } });
        await untilDeath(run(world, 'reconcilePool', executioner));
        await run(world, 'reconcilePool', nobody());
        return inventory(world);
      }),
    );
    expect(end).toMatchObject({ types: ['m5.large'], listed: 2 });
    expect(failures).toEqual([]);
  });

  it('is deleted with everything that was created for it, wherever the execution dies', async () => {
    const { end, failures } = await deathsThatMatter(4, (executioner) =>
      inWorld(async (world) => {
        await run(world, 'reconcilePool', nobody());
        await world.deletePool();
        await untilDeath(run(world, 'removePool', executioner));
        await run(world, 'removePool', nobody());
        return inventory(world);
      }),
    );
    expect(end).toMatchObject({ templates: 0, objects: 0 });
    expect(failures).toEqual([]);
  });

  it('is deleted wherever its creation died', async () => {
    const { failures } = await deathsThatMatter(8, (executioner) =>
      inWorld(async (world) => {
        await untilDeath(run(world, 'reconcilePool', executioner));
        await world.deletePool();
        await run(world, 'removePool', nobody());
        const { group, templates, objects } = await inventory(world);
        return { group, templates, objects };
      }),
    );
    expect(failures).toEqual([]);
  });
});
