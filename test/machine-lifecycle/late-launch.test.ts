/**
 * A launch that continues after the instance was seen running: a function may run longer than the caller waits for it.
 */
import { expect, it } from 'vitest';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { lookUp } from '../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

let world: MachineWorld;

forEachTest((next) => {
  world = next;
});

/** Objects whose first write of a kind that `isMeant` is delayed: `reached` resolves at it, and `go` lets it happen. */
const delayed = (objects: ObjectClient, isMeant: (plural: string, changed: unknown) => boolean) => {
  const reached = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  let isOpen = false;
  const mutate: ObjectClient['mutate'] = async (resource, target, change, options) => {
    const current = options?.from ?? (await objects.get(resource, lookUp(target).key));
    if (!isOpen && current && isMeant(resource.plural, change(current))) {
      isOpen = true;
      reached.resolve();
      await go.promise;
    }
    return objects.mutate(resource, target, change, options);
  };
  return { objects: { ...objects, mutate }, reached: reached.promise, go: go.resolve };
};

const runUntilRunning = async (): Promise<void> => {
  const steps = makeInstanceSteps(world.dependencies);
  await steps.launchInstance(world.input, context);
  for (let look = 0; look < 100; look += 1) {
    const { progress, waitSeconds } = await steps.observeInstance(world.input, context);
    if (progress === 'done') return;
    world.clock.advance(Math.max(1, waitSeconds));
  }
  throw new Error('the instance never ran');
};

const reports = async () => {
  const machine = await world.dependencies.objects.get(kinds.machine, KEY);
  const ready = machine?.status?.conditions?.find(({ type }) => type === 'InfrastructureReady');
  const infrastructure = await world.dependencies.objects.get(kinds.awsMachine, KEY);
  return [infrastructure?.status?.instanceState, ready?.status];
};

it.each([
  {
    what: 'the AWSMachine',
    isMeant: (plural: string, changed: unknown) =>
      plural === 'awsmachines' && (changed as { spec?: { instanceID?: string } })?.spec?.instanceID !== undefined,
  },
  { what: 'the Machine', isMeant: (plural: string) => plural === 'machines' },
])('a launch does not report an earlier state if it writes $what late', async ({ isMeant }) => {
  const { objects, reached, go } = delayed(world.dependencies.objects, isMeant);
  const late = makeInstanceSteps({ ...world.dependencies, objects }).launchInstance(world.input, context);
  await reached;
  await runUntilRunning();
  expect(await reports()).toEqual(['running', 'True']);

  go();
  await late;
  expect(await reports()).toEqual(['running', 'True']);
  expect(await world.liveInstances()).toHaveLength(1);
});
