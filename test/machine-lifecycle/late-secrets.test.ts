/** A request to store bootstrap data that Secrets Manager carries out minutes after the run that sent it has ended. */
import { describe, expect, it } from 'vitest';
import { deleteBootstrapRemains } from '../../functions/providers/aws/bootstrap-remains.ts';
import type { ScopedInstanceDependencies } from '../../functions/providers/aws/instance/dependencies.ts';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { readAwsMachine } from '../../functions/providers/aws/read-machine.ts';
import { context, forEachTest } from './setting.ts';
import type { MachineWorld } from './world.ts';

let world: MachineWorld;

forEachTest((next) => {
  world = next;
});

const DELAY_SECONDS = 240;

/** Dependencies with a first request that is not answered, and is carried out after the delay. */
const withLateRequest = (): ScopedInstanceDependencies & { arrive: () => void } => {
  const stores = world.dependencies.stores({} as never);
  let late: { name: string; data: Uint8Array; at: number } | undefined;
  let hasArrived = false;
  const create: typeof stores.bootstrapSecrets.create = async (secret) => {
    if (late) return stores.bootstrapSecrets.create(secret);
    late = { ...secret, at: world.clock.now().getTime() + DELAY_SECONDS * 1000 };
    throw new Error('the function has ended');
  };
  const arrive = () => {
    if (!late || hasArrived || world.clock.now().getTime() < late.at) return;
    hasArrived = true;
    world.secrets.set(late.name, late.data);
  };
  const bootstrapSecrets = { ...stores.bootstrapSecrets, create };
  return { ...world.dependencies, stores: () => ({ ...stores, bootstrapSecrets }), arrive };
};

const launch = (dependencies: ScopedInstanceDependencies) =>
  makeInstanceSteps(dependencies).launchInstance(world.input, context);

/** Deletes the bootstrap data, as when the machine's node has joined. */
const join = async (dependencies: ScopedInstanceDependencies): Promise<void> => {
  const snapshot = await readAwsMachine(dependencies.objects, world.input.machine);
  if (!snapshot) throw new Error('no machine');
  const stores = dependencies.stores({} as never);
  await deleteBootstrapRemains({ ...dependencies, ...stores, component: 'machine-objects' }, snapshot);
};

/** The number of seconds until the machine is removed. */
const remove = async (dependencies: ScopedInstanceDependencies & { arrive: () => void }): Promise<number> => {
  const start = world.clock.now().getTime();
  for (let look = 0; look < 300; look += 1) {
    dependencies.arrive();
    const { progress, waitSeconds } = await makeInstanceSteps(dependencies).terminateInstance(world.input, context);
    if (progress === 'done') return (world.clock.now().getTime() - start) / 1000;
    world.clock.advance(Math.max(1, waitSeconds));
  }
  throw new Error('the machine was never removed');
};

const leftSecrets = (dependencies: { arrive: () => void }): string[] => {
  world.clock.advance(DELAY_SECONDS);
  dependencies.arrive();
  return [...world.secrets.keys()];
};

describe('a secret that is created late', () => {
  it('after the machine has joined, is deleted with the machine', async () => {
    const late = withLateRequest();
    await expect(launch(late)).rejects.toThrow('has ended');
    await launch(late);
    await join(late);
    expect(world.secrets.size).toBe(0);
    world.clock.advance(1000);
    late.arrive();
    expect(world.secrets.size).toBe(1);

    expect(await remove(late)).toBeLessThan(100);
    expect(leftSecrets(late)).toEqual([]);
  });

  it.each([
    { what: 'was not launched again', again: false },
    { what: 'was launched again', again: true },
  ])('during the removal of a machine that $what, is deleted', async ({ again }) => {
    const late = withLateRequest();
    await expect(launch(late)).rejects.toThrow('has ended');
    if (again) await launch(late);

    expect(await remove(late)).toBeGreaterThan(DELAY_SECONDS);
    expect(leftSecrets(late)).toEqual([]);
  });

  it('does not delay a removal if the request was answered', async () => {
    await launch(world.dependencies);
    await launch(world.dependencies);
    const machine = { ...world.dependencies, arrive: () => {} };
    expect(await remove(machine)).toBeLessThan(100);
    expect(world.secrets.size).toBe(0);
  });
});
