/** Runs a part of the random scenarios for main.ts, which passes the first seed, the range and the step. */
import { appliedCluster } from './applied.ts';
import { play, type Scenario } from './play.ts';
import { shrink } from './shrink.ts';

export interface Played {
  happenings: number;
  passes: number;
  simulatedSeconds: number;
  /** The scenarios with violations, reduced to the happenings that cause them. */
  broken: Scenario[];
}

const [first = 0, bound = 0, step = 1] = process.argv.slice(2).map(Number);
const applied = await appliedCluster();
const played: Played = { happenings: 0, passes: 0, simulatedSeconds: 0, broken: [] };
for (let seed = first; seed < first + bound; seed += step) {
  const scenario = await play(applied, seed);
  played.happenings += scenario.happenings;
  played.passes += scenario.passes;
  played.simulatedSeconds += scenario.simulatedSeconds;
  if (scenario.breaches.length > 0) played.broken.push(await shrink(applied, scenario));
}
process.send?.(played);
