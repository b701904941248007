/** Results of scenarios for the output of main.ts. */
import type { Scenario } from './play.ts';
import type { Played } from './shard.ts';

/** The command that repeats a scenario. */
export const commandOf = ({ seed }: Pick<Scenario, 'seed'>): string => `npm run simulate -- --first ${seed} --seeds 1`;

/** The figures of all scenarios together. */
export const figuresOf = (played: readonly Omit<Played, 'broken'>[], broken: readonly Pick<Scenario, 'breaches'>[]) => {
  const total = (member: 'happenings' | 'passes' | 'simulatedSeconds'): number =>
    played.reduce((sum, one) => sum + one[member], 0);
  return {
    happenings: total('happenings'),
    passes: total('passes'),
    simulatedHours: Math.round(total('simulatedSeconds') / 36) / 100,
    violations: broken.reduce((sum, { breaches }) => sum + breaches.length, 0),
  };
};

/** A scenario with violations for the JSON output, without the random numbers of its course. */
export const brokenOf = ({ seed, happenings, breaches, lines }: Scenario) => ({
  ...{ seed, happenings, breaches },
  command: commandOf({ seed }),
  transcript: lines,
});
