import { describe, expect, it } from 'vitest';
import { appliedCluster } from '../../simulation/cluster/applied.ts';
import { play, told } from '../../simulation/cluster/play.ts';

/** The same scenarios each time: a seed that fails here fails everywhere, and `npm run simulate` tells more of it. */
const SCENARIOS = 2000;
const AT_ONCE = 250;
const MINUTE_MILLISECONDS = 60_000;

const seedsFrom = (first: number): number[] => Array.from({ length: AT_ONCE }, (_, at) => first + at);

describe(`${SCENARIOS} random lives of a cluster`, () => {
  const firsts = Array.from({ length: SCENARIOS / AT_ONCE }, (_, at) => 1 + at * AT_ONCE);

  it.each(firsts)(
    'break nothing, and end as they should: seeds from %i',
    async (first) => {
      const applied = await appliedCluster();
      let happenings = 0;
      for (const seed of seedsFrom(first)) {
        const scenario = await play(applied, seed);
        expect(scenario.breaches, told(scenario)).toEqual([]);
        happenings += scenario.happenings;
      }
      // Three at the least in each; a simulation in which little happens shows little.
      expect(happenings).toBeGreaterThan(5 * AT_ONCE);
    },
    5 * MINUTE_MILLISECONDS,
  );
});
