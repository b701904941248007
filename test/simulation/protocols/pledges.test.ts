import { expect, it } from 'vitest';
import { explore } from './explore.ts';
import { CLUSTER } from './passes.ts';
import { type Alter, BOTH, SWEPT, writersOf } from './pledging.ts';

it('no write stays without a pass if a sweep begins at any moment, in every order of steps and after a crash', async () => {
  const found = await explore(writersOf(SWEPT), { crashes: 1 });
  expect(found.problems).toEqual([]);
  expect(found.ends).toBeGreaterThan(2);
  console.log(`pledges, a user and a sweep: ${found.states} states, at most ${found.depth} steps`);
});

const noPledge: Alter = (pledges) => ({ ...pledges, give: async () => 'none', redeem: async () => {} });

/** Requests a pass before the write, instead of a pledge. */
const earlyRequest: Alter = (pledges, { work }) => ({
  ...pledges,
  give: async () => {
    await work.touch(CLUSTER);
    return 'none';
  },
  redeem: async () => {},
});

/** The sweep also redeems pledges of processes that may still write. */
const hastySweep: Alter = (pledges) => ({
  ...pledges,
  open: async (now) => (await pledges.open(now)).map((open) => ({ ...open, isAbandoned: true })),
});

it.each([
  { build: 'without pledges', given: SWEPT, alter: noPledge },
  { build: 'that requests a pass instead of pledging it', given: BOTH, alter: earlyRequest },
  { build: 'whose sweep redeems a pledge while its process may still write', given: SWEPT, alter: hastySweep },
])('catches a build $build', async ({ given, alter }) => {
  const { problems } = await explore(writersOf(given, alter), { crashes: 0 });
  expect(problems).toContainEqual(expect.stringContaining('a change that no sweep would find'));
});
