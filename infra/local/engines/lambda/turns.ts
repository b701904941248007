import pLimit from 'p-limit';
import type { Clock } from '../../../../shared/clock.ts';

/** The number of tasks that may always run concurrently: enough to keep both threads busy. */
const FEWEST = 16;

/** Tasks that are added or, at half of them, taken away after each look. */
const STEP = 8;

const LOOK_MILLISECONDS = 250;

const SATURATED = 0.9;

export interface TurnsDependencies {
  clock: Pick<Clock, 'sleep'>;
  /** The share of the time since the last call in which the busiest thread was working, from 0 to 1. */
  utilization(): number;
}

export interface Turns {
  /** Runs `work`, after earlier tasks if the threads are saturated. Settles as `work` does. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Drops tasks that have not begun; they never settle. */
  clear(): void;
}

/**
 * Lambda gives each invocation its own processor, but on a laptop all share one thread. If the tasks of hundreds of
 * clusters ran concurrently, each would exceed its time limit and be retried from the beginning, and none would finish.
 * Therefore, tasks queue while the threads are saturated. Tasks that only wait, for example for an API server that does
 * not answer, leave the threads idle, so more tasks begin.
 */
export const makeTurns = ({ clock, utilization }: TurnsDependencies): Turns => {
  const limit = pLimit(FEWEST);
  let isWatched = false;

  const watch = async (): Promise<void> => {
    utilization();
    while (limit.pendingCount > 0) {
      await clock.sleep(LOOK_MILLISECONDS);
      const { concurrency } = limit;
      limit.concurrency =
        utilization() < SATURATED ? concurrency + STEP : Math.max(FEWEST, Math.floor(concurrency / 2));
    }
    isWatched = false;
  };

  return {
    run: (work) => {
      const result = limit(work);
      if (limit.pendingCount > 0 && !isWatched) {
        isWatched = true;
        void watch();
      }
      return result;
    },
    clear: () => limit.clearQueue(),
  };
};
