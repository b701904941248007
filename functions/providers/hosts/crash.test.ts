/**
 * Tests with runs that crash at each of their effects, and with concurrent runs: a host has one machine, and a machine
 * one host.
 */
import { describe, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { MachineInput } from '../../../shared/work/payloads.ts';
import type { HostsDependencies } from './dependencies.ts';
import { CONTEXT, makeHostWorld } from './test-hosts.ts';

type World = Awaited<ReturnType<typeof makeHostWorld>>;
type Step = 'launchInstance' | 'terminateInstance';

const WRITES: readonly unknown[] = ['mutate', 'ensure', 'delete'];

class Death extends Error {}

/** The dependencies of a run that crashes before or after its nth effect, and the number of effects so far. */
const mortal = (world: World, nth: number, when: 'before' | 'after') => {
  const state = { effects: 0, isDead: false };
  const effect = async <T>(make: () => Promise<T>): Promise<T> => {
    if (state.isDead) throw new Death();
    state.effects += 1;
    const isLast = state.effects === nth;
    state.isDead = isLast;
    if (isLast && when === 'before') throw new Death();
    const made = await make();
    if (isLast) throw new Death();
    return made;
  };
  const objects = new Proxy(world.objects, {
    get: (target, name: keyof ObjectClient) => {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>;
      return WRITES.includes(name) ? (...args: unknown[]) => effect(() => method.apply(target, args)) : method;
    },
  });
  const run: HostsDependencies['run'] = (...args) => effect(() => world.deps.run(...args));
  return { state, by: { objects, run } };
};

const take = (world: World, step: Step, input: MachineInput, by: Partial<HostsDependencies> = {}) =>
  world.steps(by)[step](input, CONTEXT);

const claims = async (world: World): Promise<(string | undefined)[]> =>
  (await world.objects.list(kinds.host, 'default')).map(({ status }) => status?.claim?.machine);

/** The points at which a run of a step may crash: before and after each of its effects. */
const deathsOf = async (prepare: () => Promise<{ world: World; input: MachineInput }>, step: Step) => {
  const { world, input } = await prepare();
  const { state, by } = mortal(world, Number.POSITIVE_INFINITY, 'after');
  await take(world, step, input, by);
  const points = Array.from({ length: state.effects }, (_, index) => index + 1);
  return points.flatMap((nth) => [[nth, 'before'] as const, [nth, 'after'] as const]);
};

const free = async () => {
  const world = await makeHostWorld();
  for (const name of ['a', 'b']) await world.addHost(name);
  return { world, input: await world.addMachine('m') };
};

const booted = async () => {
  const { world, input } = await free();
  await take(world, 'launchInstance', input);
  return { world, input };
};

describe('a run that crashes', () => {
  it('during the claim of a host is completed by the next run', async () => {
    const deaths = await deathsOf(free, 'launchInstance');
    expect(deaths.length).toBeGreaterThan(10);
    for (const [nth, when] of deaths) {
      const { world, input } = await free();
      const { by } = mortal(world, nth, when);
      await take(world, 'launchInstance', input, by).catch(() => {});
      await take(world, 'launchInstance', input);
      expect([nth, when, await claims(world)]).toEqual([nth, when, ['m', undefined]]);
      expect(world.computers.get('a')?.started).toBe(1);
      expect(world.computers.get('b')?.started).toBe(0);
      expect((await world.machine('m'))?.status).toMatchObject({ host: { name: 'a' }, state: 'Booting' });
    }
  });

  it('during the release of a host leaves the host claimed, or reset', async () => {
    const deaths = await deathsOf(booted, 'terminateInstance');
    expect(deaths.length).toBeGreaterThan(6);
    for (const [nth, when] of deaths) {
      const { world, input } = await booted();
      const { by } = mortal(world, nth, when);
      await take(world, 'terminateInstance', input, by).catch(() => {});
      const isClaimed = (await claims(world))[0] === 'm';
      expect([nth, when, isClaimed || world.computers.get('a')?.owner === '']).toEqual([nth, when, true]);
      await take(world, 'terminateInstance', input);
      expect(await claims(world)).toEqual([undefined, undefined]);
      expect(world.computers.get('a')?.owner).toBe('');
    }
  });
});

describe('machines that are launched together', () => {
  it('get one host each', async () => {
    const world = await makeHostWorld();
    for (const name of ['a', 'b', 'c']) await world.addHost(name);
    const inputs = [];
    for (const name of ['m', 'n', 'o']) inputs.push(await world.addMachine(name));
    for (let round = 0; round < 3; round += 1)
      await Promise.allSettled(inputs.map((input) => take(world, 'launchInstance', input)));
    expect((await claims(world)).sort()).toEqual(['m', 'n', 'o']);
    expect([...world.computers.values()].map(({ started }) => started)).toEqual([1, 1, 1]);
  });

  it('get one host if two runs launch the same machine', async () => {
    const { world, input } = await free();
    await Promise.allSettled([take(world, 'launchInstance', input), take(world, 'launchInstance', input)]);
    await take(world, 'launchInstance', input);
    expect(await claims(world)).toEqual(['m', undefined]);
    expect(world.computers.get('a')?.started).toBe(1);
  });

  it('get no host if the machine is deleted during the launch', async () => {
    const { world, input } = await free();
    const run: HostsDependencies['run'] = async (...args) => {
      const answer = await world.deps.run(...args);
      await world.objects.delete(kinds.hostMachine, { namespace: 'default', name: 'm' });
      return answer;
    };
    await take(world, 'launchInstance', input, { run });
    expect(await claims(world)).toEqual([undefined, undefined]);
    expect(world.computers.get('a')?.started).toBe(0);
  });
});
