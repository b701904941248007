import { setTimeout as delay } from 'node:timers/promises';

/**
 * The clock. Everything below the entry points receives a `Clock`, so that a simulation can run the whole system on
 * virtual time.
 */
export interface Clock {
  /** The current instant. */
  now(): Date;
  /** Resolves after `milliseconds`; rejects with the signal's reason when it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The wall clock. Only entry points may pass it on. */
export const systemClock: Clock = {
  now: () => new Date(),
  sleep: async (milliseconds, signal) => {
    await delay(milliseconds, undefined, { signal });
  },
};

/** A signal that aborts after a number of milliseconds of the wall clock. Only entry points may pass it on. */
export const systemDeadline = (milliseconds: number): AbortSignal => AbortSignal.timeout(milliseconds);
