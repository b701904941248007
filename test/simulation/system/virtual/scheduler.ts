import { type Due, makeEventQueue } from './event-queue.ts';
import { quiet } from './quiet.ts';

/** The virtual time of a process, and what happens in it. */
export interface Scheduler {
  /** Milliseconds since 1970. */
  now(): number;
  /** Lets `act` happen after so many milliseconds. */
  after(milliseconds: number, act: () => void): Due;
  /** Lets things happen, one after the other, until `isDone`. Rejects where nothing is due any more, or `limit` is past. */
  run(isDone: () => boolean, limit: number): Promise<void>;
  /** Forgets what is due and begins again at a moment. */
  reset(at: number): void;
  /** Told after each thing that has happened, when the process is quiet again. */
  onStep: (() => void) | undefined;
  /** How many things have happened. */
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
