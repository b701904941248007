import type { Clock } from '../../shared/clock.ts';

/** A sleep that can be ended early. */
export interface Alarm {
  /** Ends the sleep; without a sleep, the next one ends immediately. */
  ring(): void;
  /** Resolves after `milliseconds`, at a ring, or when the signal aborts. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const makeAlarm = (clock: Clock): Alarm => {
  let sleeper: AbortController | undefined;
  let isRung = false;
  return {
    ring: () => {
      isRung = true;
      sleeper?.abort();
    },
    wait: async (milliseconds, signal) => {
      sleeper = new AbortController();
      const cut = AbortSignal.any([sleeper.signal, signal]);
      if (!isRung && !signal.aborted) await clock.sleep(milliseconds, cut).catch(() => undefined);
      isRung = false;
    },
  };
};
