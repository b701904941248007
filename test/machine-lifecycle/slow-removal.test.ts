/** How often an instance that is terminated slowly is checked. */
import { expect, it } from 'vitest';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

let world: MachineWorld;

forEachTest((next) => {
  world = next;
});

/** Removes the machine from an account in which instances shut down forever. */
const check = async (): Promise<number> => {
  const port = world.dependencies.ec2(await controllerScopeOf(undefined));
  const describe: typeof port.describe = async (id) => {
    const instance = await port.describe(id);
    return instance?.State?.Name === 'terminated' ? { ...instance, State: { Name: 'shutting-down' } } : instance;
  };
  const steps = makeInstanceSteps({ ...world.dependencies, ec2: () => ({ ...port, describe }) });
  const { progress, waitSeconds } = await steps.terminateInstance(world.input, context);
  expect(progress).toBe('wait');
  return waitSeconds;
};

it('the removal of an instance is checked every second at first, however long the drain took, and once a minute after half an hour', async () => {
  await makeInstanceSteps(world.dependencies).launchInstance(world.input, context);
  const machine = await world.dependencies.objects.get(kinds.machine, KEY);
  if (machine) await world.dependencies.objects.delete(kinds.machine, machine);
  world.clock.advance(1200);

  expect(await check()).toBe(1);
  expect(await check()).toBe(1);
  world.clock.advance(1700);
  expect(await check()).toBe(20);
  world.clock.advance(200);
  expect(await check()).toBe(60);
});
