/** Compares a lifecycle with faults with the same one without: both must end in the same state, at a similar cost. */
import type { Played } from './jobs.ts';
import type { Cost } from './life.ts';

/**
 * What a lifecycle may cost beyond twice the calls of the one without faults: for each minute that faults prolong it.
 */
const CALLS_A_MINUTE = 120;

/** The cost of the lifecycle without faults at the point where the other ended. */
const costOf = (plain: Played, other: Played): Cost => {
  if (other.rejoined) return other.rejoined;
  const last = other.isCut ? plain.costs[other.costs.length - 1] : undefined;
  return last ?? { calls: plain.calls, seconds: plain.simulatedSeconds };
};

/** The numbers of resources, which come first, or where the objects differ. */
const difference = (step: number, found: string, wanted: string): string => {
  const [have, want] = [found.split('\n'), wanted.split('\n')];
  const index = have.findIndex((line, at) => line !== want[at]);
  const which = index < 0 ? have.length : index;
  return `after step ${step} there is ${have[which] ?? 'nothing'}, without the fault ${want[which] ?? 'nothing'}`;
};

/** Differences that faults must not cause. */
const differences = (plain: Played, other: Played): string[] => {
  if (other.struck.some((one) => one.startsWith('cluster deleted'))) return [];
  const { calls, seconds } = costOf(plain, other);
  const minutes = Math.max(0, other.simulatedSeconds - seconds) / 60;
  const budget = Math.round(2 * calls + minutes * CALLS_A_MINUTE);
  const compared = other.isCut ? plain.settled.slice(0, other.settled.length) : plain.settled;
  const states = compared.flatMap((state, index) => {
    const found = other.settled[index] ?? '';
    // Only the account's contents must be equal: objects also contain what happened.
    const [has, had] = [found, state].map((text) => text.split('\n')[0]);
    return has === had ? [] : [difference(index + 1, found, state)];
  });
  return [...states, ...(other.calls > budget ? [`${other.calls} calls to AWS, more than ${budget}`] : [])];
};

/** The lifecycle with its differences among its violations. */
export const compared = (plain: Played, other: Played): Played =>
  other.breaches.length > 0 ? other : { ...other, breaches: differences(plain, other) };
