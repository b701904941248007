/** The waits of a lifecycle, in virtual time. */
import type { Notes } from './notes.ts';
import type { Scheduler } from './virtual/scheduler.ts';

/** A step that takes longer is stuck, because the sweep has run several times by then. */
const PATIENCE_MILLISECONDS = 45 * 60_000;
const POLL_MILLISECONDS = 5_000;
/**
 * A poll takes many requests to the API. The longer something takes, the less important it is to detect its end
 * immediately.
 */
const PART_OF_WAIT = 1 / 20;
const LONGEST_POLL_MILLISECONDS = 30_000;

export interface WaitingOptions {
  scheduler: Scheduler;
  notes: Notes;
  /** Whether waiting is pointless. */
  isOver(): boolean;
}

export interface Waiting {
  /** Lets virtual time pass until the work is done. */
  during<T>(work: Promise<T>): Promise<T>;
  wait(milliseconds: number): Promise<void>;
  /**
   * Polls at increasing intervals until nothing is missing. False if that takes too long, which is a violation, or if
   * the lifecycle is over.
   */
  until(what: string, missing: () => Promise<string | undefined>, patience?: number): Promise<boolean>;
}

const pauseAfter = (waited: number): number =>
  Math.min(Math.max(POLL_MILLISECONDS, Math.round(waited * PART_OF_WAIT)), LONGEST_POLL_MILLISECONDS);

export const makeWaiting = ({ scheduler, notes, isOver }: WaitingOptions): Waiting => {
  const during = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const ended = work.finally(() => {
      isDone = true;
    });
    ended.catch(() => undefined); // awaited below
    await scheduler.run(() => isDone, scheduler.now() + PATIENCE_MILLISECONDS);
    return ended;
  };
  const pause = async (milliseconds: number): Promise<void> => {
    const end = scheduler.now() + milliseconds;
    scheduler.after(milliseconds, () => undefined);
    const isEarly = (): boolean => notes.breaches.size > 0 || isOver();
    await scheduler.run(() => scheduler.now() >= end || isEarly(), end);
  };
  return {
    during,
    wait: (milliseconds) => new Promise((resolve) => void scheduler.after(milliseconds, resolve)),
    until: async (what, missing, patience = PATIENCE_MILLISECONDS) => {
      const begin = scheduler.now();
      for (;;) {
        const found = await during(missing());
        if (found === undefined) return true;
        const waited = scheduler.now() - begin;
        if (waited > patience) notes.accuse([`stuck: ${what}: ${found}`]);
        // After a violation, nothing is proven, and after rejoining another lifecycle, the rest is known.
        if (notes.breaches.size > 0 || isOver()) return false;
        await pause(pauseAfter(waited));
      }
    },
  };
};
