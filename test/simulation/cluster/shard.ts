/** Runs a part of the random scenarios for main.ts, which passes the first seed, the range and the step. */
import { appliedCluster } from './applied.ts';
import { play, told } from './play.ts';

export interface Played {
  happenings: number;
  passes: number;
  /** The scenarios with violations, each with its transcript as text. */
  broken: { seed: number; breaches: string[]; text: string }[];
}

const [first = 0, bound = 0, step = 1] = process.argv.slice(2).map(Number);
const applied = await appliedCluster();
const played: Played = { happenings: 0, passes: 0, broken: [] };
for (let seed = first; seed < first + bound; seed += step) {
  const scenario = await play(applied, seed);
  played.happenings += scenario.happenings;
  played.passes += scenario.passes;
  const { breaches } = scenario;
  if (breaches.length > 0) played.broken.push({ seed, breaches, text: told(scenario) });
}
process.send?.(played);
