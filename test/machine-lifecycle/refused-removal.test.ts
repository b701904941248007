/** Instances that AWS does not terminate. */
import { ModifyInstanceAttributeCommand } from '@aws-sdk/client-ec2';
import { expect, it } from 'vitest';
import { makeMachineObjectsSteps } from '../../functions/machine/objects/steps.ts';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { translateAwsError } from '../../shared/aws/errors.ts';
import { type Event, kinds } from '../../shared/kinds/index.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

let world: MachineWorld;

forEachTest((next) => {
  world = next;
});

const steps = () => makeInstanceSteps(world.dependencies);

const protect = async (Value: boolean) => {
  const [InstanceId] = await world.liveInstances();
  const DisableApiTermination = { Value };
  await world.client.send(new ModifyInstanceAttributeCommand({ InstanceId, DisableApiTermination }));
};

const forbid = async () => {
  const fault = { code: 'UnauthorizedOperation', message: 'You may not do this.', status: 403, times: 1 };
  world.account.failNext('ec2', 'TerminateInstances', fault);
};

/** Launches the machine's instance and deletes the Machine. */
const startDeletion = async () => {
  await steps().launchInstance(world.input, context);
  for (let look = 0; look < 20; look += 1) {
    const { progress, waitSeconds } = await steps().observeInstance(world.input, context);
    if (progress === 'done') break;
    world.clock.advance(Math.max(1, waitSeconds));
  }
  world.clock.advance(600);
  const machine = await world.dependencies.objects.get(kinds.machine, KEY);
  if (machine) await world.dependencies.objects.delete(kinds.machine, machine);
};

const machineCondition = async (type: string) =>
  (await world.dependencies.objects.get(kinds.machine, KEY))?.status?.conditions?.find((one) => one.type === type);

const awsCondition = async (type: string) =>
  (await world.dependencies.objects.get(kinds.awsMachine, KEY))?.status?.conditions?.find((one) => one.type === type);

it.each([
  ['OperationNotPermitted', () => protect(true), () => protect(false)],
  ['UnauthorizedOperation', forbid, async () => {}],
])('a termination that EC2 refuses with %s is in the conditions until it succeeds', async (code, refuse, permit) => {
  await startDeletion();
  await refuse();

  const refusal = (await steps().terminateInstance(world.input, context).catch(translateAwsError)) as Error;
  const failure = { Error: refusal.name, Cause: JSON.stringify({ errorMessage: refusal.message }) };
  const { fail } = makeMachineObjectsSteps({ ...world.dependencies, deliveries: {} } as never);
  await fail({ ...world.input, failure }, context);

  const message = expect.stringContaining(`${code}: `);
  const reason = 'WaitingForInfrastructureDeletion';
  expect(await machineCondition('Deleting')).toMatchObject({ status: 'True', reason, message });
  const failed = { status: 'False', severity: 'Warning', reason: 'DeletingFailed', message };
  expect(await awsCondition('InstanceReady')).toMatchObject(failed);
  expect(await awsCondition('Ready')).toMatchObject(failed);
  const warnings = (await world.dependencies.objects.list<Event>(kinds.event)).filter(({ type }) => type === 'Warning');
  expect(warnings.map((event) => event.reason).sort()).toEqual(['FailedDelete', 'FailedTerminate']);

  await permit();
  await steps().terminateInstance(world.input, context);
  expect((await machineCondition('Deleting'))?.message).toMatch(/is not terminated yet$/);
  await steps().terminateInstance(world.input, context);
  expect(await awsCondition('InstanceReady')).toMatchObject({ status: 'False', reason: 'InstanceTerminated' });
});
