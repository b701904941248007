import { expect, it } from 'vitest';
import type { Outcome } from './act.ts';
import { settle } from './settle.ts';

const CLOCK = { now: () => new Date('2026-12-01T12:00:00Z'), sleep: async () => {} };

/** Settles a subnet that AWS shows in round `shownIn`; answers creations with `verdict`. Returns the calls by round. */
const callsUntil = async (shownIn: number, verdict: Outcome['verdict']): Promise<number[]> => {
  const calls: number[] = [];
  await settle({
    look: async () => calls.length,
    plan: (round) => ({ actions: round < shownIn ? ['CreateSubnet'] : [], waiting: [] }),
    act: async (_, { actions }): Promise<Outcome<string>[]> => {
      calls.push(actions.length);
      return actions.map((action) => ({ action, verdict, message: 'InvalidSubnet.Conflict' }));
    },
    clock: CLOCK,
  });
  return calls;
};

it('does not repeat a creation while AWS does not show what exists already', async () => {
  expect(await callsUntil(4, 'exists')).toEqual([1, 0, 0, 0]);
});

it('repeats an action that AWS can carry out only later', async () => {
  expect(await callsUntil(4, 'unclear')).toEqual([1, 1, 1, 1]);
});

it('still says what AWS has answered if it does not show it in time', async () => {
  await expect(callsUntil(99, 'exists')).rejects.toThrow('is not complete yet: InvalidSubnet.Conflict');
});
