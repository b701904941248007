import { describe, expect, it } from 'vitest';
import { appliedCluster } from '../../simulation/cluster/applied.ts';
import { play, told } from '../../simulation/cluster/play.ts';

/** The number of scenarios in each shard. `npm run simulate` can run thousands. */
const LIVES = 200;
const AT_ONCE = 50;
const MINUTE_MILLISECONDS = 60_000;

/** `npm run conformance` sets a different first seed for each commit, so that every commit tries new scenarios. */
const FIRST = Number(process.env.WINDLASS_FIRST_SEED ?? 1);

const seedsFrom = (first: number): number[] => Array.from({ length: AT_ONCE }, (_, at) => first + at);

/**
 * Defines the tests of one shard; shards are numbered from 0. The name of a test contains the command that repeats a
 * failure.
 */
export const describeLives = (shard: number): void => {
  describe(`${LIVES} random scenarios of a cluster, shard ${shard}`, () => {
    const firsts = Array.from({ length: LIVES / AT_ONCE }, (_, at) => FIRST + shard * LIVES + at * AT_ONCE);

    it.each(firsts)(
      `violate no invariant, and settle: npm run simulate -- --seeds ${AT_ONCE} --first %i`,
      async (first) => {
        const applied = await appliedCluster();
        let happenings = 0;
        for (const seed of seedsFrom(first)) {
          const scenario = await play(applied, seed);
          expect(scenario.breaches, told(scenario)).toEqual([]);
          happenings += scenario.happenings;
        }
        // On average more than five per scenario: a simulation in which little happens proves little.
        expect(happenings).toBeGreaterThan(5 * AT_ONCE);
      },
      5 * MINUTE_MILLISECONDS,
    );
  });
};
