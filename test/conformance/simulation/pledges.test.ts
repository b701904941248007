import { expect, it } from 'vitest';
import { explore } from '../../simulation/protocols/explore.ts';
import { BOTH, writersOf } from '../../simulation/protocols/pledging.ts';

it('no write of a user or of an event stays without a pass, in every order of steps and after a crash', async () => {
  const found = await explore(writersOf(BOTH), { crashes: 1 });
  expect(found.problems).toEqual([]);
  expect(found.ends).toBeGreaterThan(2);
  console.log(`pledges, a user and an event: ${found.states} states, at most ${found.depth} steps`);
});
