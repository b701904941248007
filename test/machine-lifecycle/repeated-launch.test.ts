/** A launch that was decided long before EC2 accepts it, because a quota was used up or AWS was slow. */
import { expect, it } from 'vitest';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import type { ScopedInstanceDependencies } from '../../functions/providers/aws/instance/dependencies.ts';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { type AWSMachine, kinds } from '../../shared/kinds/index.ts';
import type { Ec2Instances } from '../../shared/providers/aws/api/ec2-instances.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

let world: MachineWorld;

forEachTest((next) => {
  world = next;
});

const launch = (dependencies: ScopedInstanceDependencies = world.dependencies) =>
  makeInstanceSteps(dependencies).launchInstance(world.input, context);
const observe = () => makeInstanceSteps(world.dependencies).observeInstance(world.input, context);
const terminate = () => makeInstanceSteps(world.dependencies).terminateInstance(world.input, context);

/** An hour later, EC2 accepts the launch; it shows the instance within another half minute. */
const waitForQuota = async (): Promise<void> => {
  world.account.failNext('ec2', 'RunInstances', { code: 'VcpuLimitExceeded', message: 'No more vCPUs.', times: 1 });
  await expect(launch()).rejects.toMatchObject({ name: 'VcpuLimitExceeded' });
  world.clock.advance(3600);
  world.account.settings.consistencyMilliseconds = 30_000;
};

/** A launch whose instance EC2 has created, and whose function crashed before the response. */
const loseAnswer = async (): Promise<void> => {
  const ec2 = world.dependencies.ec2(await controllerScopeOf(undefined));
  const run: Ec2Instances['run'] = async (input) => {
    await ec2.run(input);
    throw new Error('died');
  };
  await expect(launch({ ...world.dependencies, ec2: () => ({ ...ec2, run }) })).rejects.toThrow('died');
};

it('a repeated launch does not report the instance as terminated while EC2 does not show it yet', async () => {
  await waitForQuota();
  await launch();
  expect(await observe()).toMatchObject({ progress: 'wait' });
  const machine = (await world.dependencies.objects.get(kinds.awsMachine, KEY)) as AWSMachine;
  expect(machine.status?.instanceState).toBe('pending');

  world.clock.advance(60);
  expect(await observe()).toMatchObject({ progress: 'done' });
  expect(await world.liveInstances()).toEqual([machine.spec.instanceID]);
});

it('a repeated launch leaves no instance behind if its response is lost and the machine is deleted', async () => {
  await waitForQuota();
  await loseAnswer();
  for (let look = 0; look < 50 && (await terminate()).progress !== 'done'; look += 1) world.clock.advance(5);

  world.clock.advance(120);
  expect(await world.liveInstances()).toEqual([]);
});
