import type { Clock } from '../../../shared/clock.ts';

/** A sleep that can be cut short. */
export interface Alarm {
  /** Ends the wait; where nobody waits, the next wait does not begin. */
  ring(): void;
  /** Resolves when the time is over, when somebody rings, or when the signal aborts. Never rejects. */
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
