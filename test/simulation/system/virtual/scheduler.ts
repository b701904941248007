import { type Due, makeEventQueue } from './event-queue.ts';
import { quiet } from './quiet.ts';

/** The virtual time of a process, and the events in it. */
export interface Scheduler {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `act` after this many milliseconds. */
  after(milliseconds: number, act: () => void): Due;
  /**
   * Runs due items, one after the other, until `isDone`. Rejects if nothing is due any more, or if `limit` has passed.
   */
  run(isDone: () => boolean, limit: number): Promise<void>;
  /** Drops all due items, and starts again at this time. */
  reset(at: number): void;
  /** Called after each item that was run, when the process is quiet again. */
  onStep: (() => void) | undefined;
  /** The number of items that were run. */
  readonly steps: number;
}

export const makeScheduler = (start: number): Scheduler => {
  const queue = makeEventQueue();
  let now = start;
  let steps = 0;
  const scheduler: Scheduler = {
    now: () => now,
    after: (milliseconds, act) => queue.add(now + milliseconds, act),
    reset: (at) => {
      queue.clear();
      now = at;
      steps = 0;
    },
    onStep: undefined,
    get steps() {
      return steps;
    },
    run: async (isDone, limit) => {
      for (;;) {
        await quiet();
        scheduler.onStep?.();
        if (isDone()) return;
        const next = queue.take();
        if (next === undefined) throw new Error('nothing is left that could happen');
        if (next.at > limit) throw new Error(`not done by ${new Date(limit).toISOString()}`);
        now = Math.max(now, next.at);
        steps += 1;
        next.act?.();
      }
    },
  };
  return scheduler;
};
