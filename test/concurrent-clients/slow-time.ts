import type { Clock } from '../../shared/clock.ts';
import { makeEventQueue } from '../simulation/system/virtual/event-queue.ts';

/** Virtual time for one scenario: a sleep of any length takes no real time. */
export interface SlowTime {
  clock: Clock;
  /** Work that takes no virtual time: time advances only when it has ended. */
  real<T>(work: Promise<T>): Promise<T>;
  /** Advances time until the work has ended. Throws what the work throws, or if it can never end. */
  during<T>(work: Promise<T>): Promise<T>;
}

const START = Date.parse('2030-01-01T00:00:00Z');

/** After this number of turns of the event loop, everything that was ready has run; streams take several turns. */
const QUIET_TURNS = 4;
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

export const makeSlowTime = (): SlowTime => {
  const queue = makeEventQueue();
  let now = START;
  let working = 0;

  const quiet = async (): Promise<void> => {
    for (let turns = 0; turns < QUIET_TURNS; turns = working > 0 ? 0 : turns + 1) await turn();
  };

  return {
    clock: {
      now: () => new Date(now),
      sleep: (milliseconds, signal) =>
        new Promise((resolve, reject) => {
          signal?.throwIfAborted();
          const due = queue.add(now + milliseconds, resolve);
          const abort = (): void => {
            due.act = undefined;
            reject(signal?.reason);
          };
          signal?.addEventListener('abort', abort, { once: true });
        }),
    },
    real: async (work) => {
      working += 1;
      return work.finally(() => {
        working -= 1;
      });
    },
    during: async (work) => {
      let isOver = false;
      const ended = work.finally(() => {
        isOver = true;
      });
      ended.catch(() => undefined); // it is awaited below
      for (;;) {
        await quiet();
        if (isOver) return ended;
        const next = queue.take();
        if (next === undefined) throw new Error('nothing is left that could happen');
        now = next.at;
        next.act?.();
      }
    },
  };
};
