import { expect, it } from 'vitest';
import { explore } from './explore.ts';
import { NEEDED, removals } from './leaving.ts';

const TWO_LEAVE = { members: ['a', 'b', 'c'], removals: ['a', 'b'] } as const;
const TWICE = { members: ['a', 'b', 'c'], removals: ['a', 'a'] } as const;
/** After one machine has left, the other must wait until the dead member is removed. */
const ONE_DEAD = { members: ['a', 'b', 'c', 'd'], dead: 'd', removals: ['a', 'b'], able: 1 } as const;
const SPARED = { members: ['a', 'b', 'c', 'd'], dead: 'd', removals: ['a', 'a'], able: 1, isUnguarded: true } as const;
/** The first one leaves, and the other must wait until the third serves the cluster. */
const ONE_BROKEN = { members: ['a', 'b', 'c'], broken: 'c', removals: ['a', 'b'], able: 1 } as const;
/** The machine is a node before it adds its member. */
const ONE_JOINS = { members: ['a', 'b'], removals: ['a'], joining: 'c' } as const;
const SUCCESSOR = { members: ['a'], removals: ['a'], joining: 'b', able: 0 } as const;

it.each([
  { what: 'two machines leave three members', given: TWO_LEAVE },
  { what: 'two executions remove the same machine', given: TWICE },
  { what: 'two machines leave four members of which one is dead', given: ONE_DEAD },
  { what: 'two working machines leave a third one that does not work', given: ONE_BROKEN },
  { what: 'a machine leaves while another one joins', given: ONE_JOINS },
  { what: 'the last machine waits while another one joins', given: SUCCESSOR },
  { what: 'a machine that an etcd without a check of its own needs', given: NEEDED },
  { what: 'a machine that an etcd without a check of its own can spare', given: SPARED },
])('the quorum is kept in every order of steps and after a crash: $what', async ({ what, given }) => {
  const found = await explore(removals(given), { crashes: 1 });
  expect(found.problems).toEqual([]);
  expect(found.ends).toBeGreaterThan(1);
  console.log(`leaving etcd, ${what}: ${found.states} states, at most ${found.depth} steps`);
});

it('the quorum is lost if etcd does not refuse a removal that was planned before another one', async () => {
  const { problems } = await explore(removals({ ...ONE_DEAD, isUnguarded: true }), { crashes: 0 });
  expect(problems).toContainEqual(expect.stringContaining('etcd has lost its quorum'));
});
