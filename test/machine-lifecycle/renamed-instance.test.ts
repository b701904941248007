/** An AWSMachine whose instance id was changed by a user who may adopt machines, and that is then deleted. */
import { DescribeInstancesCommand, RunInstancesCommand } from '@aws-sdk/client-ec2';
import { expect, it } from 'vitest';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

let world: MachineWorld;

forEachTest((next) => {
  world = next;
});

/** An instance like that of the machine, without its tags. */
const runOther = async (): Promise<string> => {
  const { Reservations } = await world.client.send(new DescribeInstancesCommand({}));
  const { ImageId, SubnetId, InstanceType } = Reservations?.[0]?.Instances?.[0] ?? {};
  const input = { ImageId, SubnetId, InstanceType, MinCount: 1, MaxCount: 1 };
  const { Instances } = await world.client.send(new RunInstancesCommand(input));
  return Instances?.[0]?.InstanceId ?? '';
};

const rename = (instanceID: string) =>
  world.dependencies.objects.mutate(kinds.awsMachine, KEY, ({ spec, ...rest }) => ({
    ...rest,
    spec: { ...spec, instanceID, providerID: `aws:///us-east-1a/${instanceID}` },
  }));

const terminateUntilDone = async (): Promise<void> => {
  const steps = makeInstanceSteps(world.dependencies);
  for (let look = 0; look < 100; look += 1) {
    if ((await steps.terminateInstance(world.input, context)).progress === 'done') return;
    world.clock.advance(5);
  }
  throw new Error('the instance was never gone');
};

it.each([
  { what: 'that does not exist', foreign: false },
  { what: 'of another owner', foreign: true },
])('a machine’s own instance, and no other, is terminated even if its spec names one $what', async ({ foreign }) => {
  await makeInstanceSteps(world.dependencies).launchInstance(world.input, context);
  world.clock.advance(600);
  const other = foreign ? await runOther() : 'i-0123456789abcdef0';
  await rename(other);

  await terminateUntilDone();
  expect(await world.liveInstances()).toEqual(foreign ? [other] : []);
});
