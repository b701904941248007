/** Compares a lifecycle with faults with the same one without: both must end in the same state, at a similar cost. */

import type { Cost } from '../life.ts';
import type { Played } from '../runs/jobs.ts';
import { INCOMPLETE } from '../states/rejoin.ts';

/**
 * What a lifecycle may cost beyond twice the calls of the one without faults: for each minute that faults prolong it.
 */
const CALLS_A_MINUTE = 120;

/** A hostile editor has clusters of its own, and a copied cluster is a second one: they are created and deleted too. */
const FURTHER_CLUSTERS = { 'hostile editor': 2, 'whole cluster copied': 1 };

const furtherClusters = ({ struck }: Played): number =>
  Object.entries(FURTHER_CLUSTERS).reduce(
    (sum, [kind, number]) => sum + (struck.some((one) => one.startsWith(kind)) ? number : 0),
    0,
  );

/** The cost of the lifecycle without faults after as many steps as the other had begun. */
const costOf = (plain: Played, { isCut, rejoined, costs }: Played): Cost => {
  const last = isCut ? plain.costs[rejoined ? costs.length : costs.length - 1] : undefined;
  return last ?? { calls: plain.calls, seconds: plain.simulatedSeconds };
};

/** What a lifecycle that has rejoined the other costs if it is continued to the end of the step. */
const continued = ({ calls, simulatedSeconds, rejoined }: Played, whole: Cost): Cost =>
  rejoined
    ? { calls: calls + whole.calls - rejoined.calls, seconds: simulatedSeconds + whole.seconds - rejoined.seconds }
    : { calls, seconds: simulatedSeconds };

/** The numbers of resources, which come first, or where the objects differ. */
const difference = (step: number, found: string, wanted: string): string => {
  const [have, want] = [found.split('\n'), wanted.split('\n')];
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
    // Only the account's contents must be equal: objects also contain what happened.
    if (found === INCOMPLETE) return [];
    const [has, had] = [found, state].map((text) => text.split('\n')[0]);
    return has === had ? [] : [difference(index + 1, found, state)];
  });
  return [...states, ...(cost.calls > budget ? [`${cost.calls} calls to AWS, more than ${budget}`] : [])];
};

/** The lifecycle with its differences among its violations. */
export const compared = (plain: Played, other: Played): Played =>
  other.breaches.length > 0 ? other : { ...other, breaches: differences(plain, other) };
