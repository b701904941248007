import type { Reporter } from '../../shared/store/limits/reporters.ts';

/** Limits the number of passes that the reports of one cluster can start. */

const SECOND = 1000;
/** Reports at shorter intervals lead to a single pass. */
const PAUSE = 10 * SECOND;
/** The interval of passes under constant reports: that of the sweep, by default. */
const EVERY = 300 * SECOND;
/**
 * Passes that a cluster saves up while it reports little. A change takes one or two, because our own writes are
 * reported, too.
 */
const SAVED = 12;

/** The most passes that reports cause in a month of 30 days. */
export const MOST_PASSES_A_MONTH = SAVED + (30 * 24 * 60 * 60 * SECOND) / EVERY;

export type Verdict =
  /** A pass is due, and `next` must be recorded. No other pass is due before `until`. */
  | { answer: 'pass'; next: { lastAt: number; fullAt: number }; until: number }
  /** Another report has just led to a pass: the reporter should try again. */
  | { answer: 'later'; until: number }
  /** The budget is spent: the sweep finds the change. */
  | { answer: 'spent'; until: number };

/** Decides what an authentic report leads to. `now`: milliseconds since 1970. */
export const judge = ({ lastAt, fullAt = 0 }: Pick<Reporter, 'lastAt' | 'fullAt'>, now: number): Verdict => {
  const from = Math.max(fullAt, now);
  const until = from - (SAVED - 1) * EVERY;
  if (until > now) return { answer: 'spent', until };
  if (lastAt !== undefined && now < lastAt + PAUSE) return { answer: 'later', until: lastAt + PAUSE };
  return { answer: 'pass', next: { lastAt: now, fullAt: from + EVERY }, until: now + PAUSE };
};
