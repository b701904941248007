import type { Reporter } from '../../shared/store/limits/reporters.ts';

/** Limits the number of passes that the reports of one cluster can start. */

const SECOND = 1000;
/** Reports that come closer together lead to one pass. */
const PAUSE = 10 * SECOND;
/** One pass in this time without end: as often as a sweep by default. */
const EVERY = 300 * SECOND;
/** Passes of a cluster whose reports were rare before. A change causes one or two, because our own writes are reported. */
const SAVED = 12;

/** The most passes that reports cause in a month of 30 days. */
export const MOST_PASSES_A_MONTH = SAVED + (30 * 24 * 60 * 60 * SECOND) / EVERY;

export type Verdict =
  /** A pass is due, and `next` is to be recorded. `until`: no other one is due before. */
  | { answer: 'pass'; next: { lastAt: number; fullAt: number }; until: number }
  /** Another report led to a pass a moment ago: the reporter is to try again. */
  | { answer: 'later'; until: number }
  /** The budget is spent: the sweep finds the change. */
  | { answer: 'spent'; until: number };

/** Decides on an authentic report. `now`: milliseconds since 1970. */
export const judge = ({ lastAt, fullAt = 0 }: Pick<Reporter, 'lastAt' | 'fullAt'>, now: number): Verdict => {
  const from = Math.max(fullAt, now);
  const until = from - (SAVED - 1) * EVERY;
  if (until > now) return { answer: 'spent', until };
  if (lastAt !== undefined && now < lastAt + PAUSE) return { answer: 'later', until: lastAt + PAUSE };
  return { answer: 'pass', next: { lastAt: now, fullAt: from + EVERY }, until: now + PAUSE };
};
