/** A recorded launch that can no longer succeed is decided again. */
import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { expect, it } from 'vitest';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import type { ScopedInstanceDependencies } from '../../functions/providers/aws/instance/dependencies.ts';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { type AWSMachine, kinds } from '../../shared/kinds/index.ts';
import type { Ec2Instances } from '../../shared/providers/aws/api/ec2-instances.ts';
import { readRecordedLaunch } from '../../shared/providers/aws/plan/launch/recorded.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

let world: MachineWorld;

forEachTest(
  (next) => {
    world = next;
  },
  { zones: 2 },
);

const launch = (dependencies: ScopedInstanceDependencies = world.dependencies) =>
  makeInstanceSteps(dependencies).launchInstance(world.input, context);
const awsMachine = async () => (await world.dependencies.objects.get(kinds.awsMachine, KEY)) as AWSMachine;

/** Wraps RunInstances with code before and after it. */
const withRun = async (
  change: (run: Ec2Instances['run']) => Ec2Instances['run'],
): Promise<ScopedInstanceDependencies> => {
  const ec2 = world.dependencies.ec2(await controllerScopeOf(undefined));
  return { ...world.dependencies, ec2: () => ({ ...ec2, run: change(ec2.run) }) };
};

const refuse = (code: string): void =>
  world.account.failNext('ec2', 'RunInstances', { code, message: `${code}.`, times: 1 });

/** Gives the network another security group after the launch was decided. */
const replaceGroup = async (): Promise<Ec2Instances['run']> => {
  const [gone, { run }] = ['sg-0123456789abcdef0', world.dependencies.ec2(await controllerScopeOf(undefined))];
  await world.dependencies.objects.mutate(kinds.awsMachine, KEY, (current) => {
    const annotations = Object.entries(current.metadata.annotations ?? {}).map(([key, text]): [string, string] => [
      key,
      text.replaceAll(/sg-[0-9a-f]+/g, gone),
    ]);
    return { ...current, metadata: { ...current.metadata, annotations: Object.fromEntries(annotations) } };
  });
  return async (input) => {
    if (input.NetworkInterfaces?.[0]?.Groups?.includes(gone)) refuse('InvalidGroup.NotFound');
    return run(input);
  };
};

it('a recorded launch is computed again if a resource that it names no longer exists', async () => {
  refuse('VcpuLimitExceeded');
  await expect(launch()).rejects.toMatchObject({ name: 'VcpuLimitExceeded' });
  world.clock.advance(3600);
  const run = await replaceGroup();
  const dependencies = await withRun(() => run);

  await expect(launch(dependencies)).rejects.toMatchObject({ name: 'InvalidGroup.NotFound' });
  await launch(dependencies);
  expect(await world.liveInstances()).toEqual([(await awsMachine()).spec.instanceID]);
});

it('a recorded launch is kept while a resource that it names may not be visible yet', async () => {
  refuse('InvalidGroup.NotFound');
  await expect(launch()).rejects.toMatchObject({ name: 'InvalidGroup.NotFound' });
  expect(readRecordedLaunch(await awsMachine())).toMatchObject({ request: { ClientToken: world.input.machine.uid } });
  await launch();
  expect(await world.liveInstances()).toHaveLength(1);
});

it('a recorded launch is replaced if its instance was terminated before it was recorded', async () => {
  const dying = await withRun((run) => async (input) => {
    await run(input);
    throw new Error('died');
  });
  await expect(launch(dying)).rejects.toThrow('died');
  const [first = ''] = await world.liveInstances();
  await world.client.send(new TerminateInstancesCommand({ InstanceIds: [first] }));
  world.clock.advance(120);

  await expect(launch()).rejects.toMatchObject({ name: 'Transient' });
  await launch();
  const [second] = await world.liveInstances();
  expect(second).not.toBe(first);
  expect((await awsMachine()).spec.instanceID).toBe(second);
});

it('a recorded launch is not computed again by a refused run if another run has launched an instance from it', async () => {
  let refusals = 0;
  const late = await withRun((run) => async (input) => {
    if (refusals++ > 0) return run(input);
    // EC2 has capacity again when the step is repeated, before the refused run continues.
    await launch();
    throw Object.assign(new Error('No capacity.'), { name: 'InsufficientInstanceCapacity', $metadata: {} });
  });
  await launch(late).catch(() => {});
  expect(await world.liveInstances()).toEqual([(await awsMachine()).spec.instanceID]);
});
