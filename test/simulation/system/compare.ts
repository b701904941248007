/** A life with faults beside the same life without: both must end in the same state, at a similar price. */
import type { Played } from './jobs.ts';

/** What a life may cost beyond twice the calls of the one without faults: for each minute that faults make it longer. */
const CALLS_A_MINUTE = 120;

/** Differences that faults must not make. */
const differences = (plain: Played, other: Played): string[] => {
  if (other.struck.some((one) => one.startsWith('cluster deleted'))) return [];
  const minutes = Math.max(0, other.simulatedSeconds - plain.simulatedSeconds) / 60;
  const budget = Math.round(2 * plain.calls + minutes * CALLS_A_MINUTE);
  const states = plain.settled.flatMap((state, index) => {
    const found = other.settled[index];
    return found === state ? [] : [`after step ${index + 1} the account has ${found}, without the fault ${state}`];
  });
  return [...states, ...(other.calls > budget ? [`${other.calls} calls to AWS, more than ${budget}`] : [])];
};

/** The life with its differences among its breaches. */
export const compared = (plain: Played, other: Played): Played =>
  other.breaches.length > 0 ? other : { ...other, breaches: differences(plain, other) };
