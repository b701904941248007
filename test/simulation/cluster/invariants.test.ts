import { expect, it } from 'vitest';
import { appliedCluster } from './applied.ts';
import { FOUND } from './found.ts';
import { play, told } from './play.ts';

/** A few scenarios; `npm run simulate` runs thousands. */
const SEEDS = Array.from({ length: 8 }, (_, at) => at + 1);

it('a cluster keeps surge, availability, quorum and owners, and reaches the desired state, whatever happens', async () => {
  const applied = await appliedCluster();
  for (const seed of SEEDS) {
    const scenario = await play(applied, seed);
    expect(scenario.breaches, told(scenario)).toEqual([]);
    expect(scenario.happenings).toBeGreaterThan(0);
  }
});

it.each(FOUND)('no invariant is violated in the scenario that found this: $what', async ({ seed, changes }) => {
  const scenario = await play(await appliedCluster(), seed, changes);
  expect(scenario.breaches, told(scenario)).toEqual([]);
});

it('a seed always runs the same scenario', async () => {
  const applied = await appliedCluster();
  const [first, second, other] = [await play(applied, 7), await play(applied, 7), await play(applied, 8)];

  expect(second.lines).toEqual(first.lines);
  expect(other.lines).not.toEqual(first.lines);
});

it('a recorded course is repeated exactly, and without a happening the others keep their places', async () => {
  const applied = await appliedCluster();
  for (const seed of [7, 8, 9]) {
    const scenario = await play(applied, seed);
    const { course, changes, lines } = scenario;
    expect(await play(applied, seed, changes, course)).toEqual(scenario);

    const without = { ...course, happenings: course.happenings.slice(0, -1) };
    const last = lines.findLastIndex((line) => line.startsWith('> ') && line !== '> all is calm');
    const repeated = await play(applied, seed, changes, without);
    expect(repeated.lines.slice(0, last)).toEqual(lines.slice(0, last));
    expect(repeated.happenings).toBe(scenario.happenings - 1);
  }
});
