/** Compares a lifecycle with faults with the one without: both must end in the same state, at a similar cost. */

import type { Cost } from '../life.ts';
import type { Played } from '../runs/jobs.ts';
import { INCOMPLETE } from '../states/rejoin.ts';
import { headIn } from '../states/settled.ts';

/**
 * The additional calls to AWS that are allowed for each minute by which faults prolong a lifecycle, in addition to
 * twice the calls without faults.
 */
const CALLS_A_MINUTE = 120;

/** Clusters that faults create and delete in addition: those of a hostile editor, and a copied cluster. */
const FURTHER_CLUSTERS = { 'hostile editor': 2, 'whole cluster copied': 1 };

const furtherClusters = ({ struck }: Played): number =>
  Object.entries(FURTHER_CLUSTERS).reduce(
    (sum, [kind, number]) => sum + (struck.some((one) => one.startsWith(kind)) ? number : 0),
    0,
  );

/** The cost of the lifecycle without faults after the same number of steps as the other has begun. */
const costOf = (plain: Played, { isCut, rejoined, costs }: Played): Cost => {
  const last = isCut ? plain.costs[rejoined ? costs.length : costs.length - 1] : undefined;
  return last ?? { calls: plain.calls, seconds: plain.simulatedSeconds };
};

/** The cost of a lifecycle that has rejoined the other, if it were continued until the end of the step. */
const continued = ({ calls, simulatedSeconds, rejoined }: Played, whole: Cost): Cost =>
  rejoined
    ? { calls: calls + whole.calls - rejoined.calls, seconds: simulatedSeconds + whole.seconds - rejoined.seconds }
    : { calls, seconds: simulatedSeconds };

/** The first line that differs. */
const difference = (step: number, have: readonly string[], want: readonly string[]): string => {
  const index = have.findIndex((line, at) => line !== want[at]);
  const which = index < 0 ? have.length : index;
  return `after step ${step} there is ${have[which] ?? 'nothing'}, without the fault ${want[which] ?? 'nothing'}`;
};

/** Differences that faults must not cause. */
const differences = (plain: Played, other: Played): string[] => {
  if (other.struck.some((one) => /^(cluster|everything) deleted /.test(one))) return [];
  const without = costOf(plain, other);
  const cost = continued(other, without);
  const minutes = Math.max(0, cost.seconds - without.seconds) / 60;
  const others = furtherClusters(other);
  const creations = 2 * without.calls + others * (plain.costs[0]?.calls ?? 0);
  const budget = Math.round(creations + minutes * CALLS_A_MINUTE * (1 + others));
  const compared = other.isCut ? plain.settled.slice(0, other.settled.length) : plain.settled;
  const states = compared.flatMap((state, index) => {
    const found = other.settled[index] ?? 'nothing';
    // The contents of objects may differ, because they also contain their history.
    if (found === INCOMPLETE) return [];
    const [have, want] = [headIn(found), headIn(state)];
    return have.join() === want.join() ? [] : [difference(index + 1, have, want)];
  });
  return [...states, ...(cost.calls > budget ? [`${cost.calls} calls to AWS, more than ${budget}`] : [])];
};

/** Adds the differences to the violations of a lifecycle without any. */
export const compared = (plain: Played, other: Played): Played =>
  other.breaches.length > 0 ? other : { ...other, breaches: differences(plain, other) };
