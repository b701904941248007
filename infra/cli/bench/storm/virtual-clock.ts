import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../../shared/clock.ts';

/** A clock that jumps to the next timer when there is nothing else to do. */
export const makeVirtualClock = () => {
  let now = 0;
  const sleepers: { at: number; wake: () => void }[] = [];
  const clock: Clock = {
    now: () => new Date(now),
    sleep: (milliseconds) =>
      new Promise((resolve) => {
        sleepers.push({ at: now + milliseconds, wake: resolve });
      }),
  };
  /** Resolves to the number of seconds that `work` took. */
  const run = async (work: Promise<unknown>): Promise<number> => {
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    for (;;) {
      await setImmediate();
      if (isOver) break;
      sleepers.sort((a, b) => b.at - a.at);
      const next = sleepers.pop();
      if (!next) continue;
      now = Math.max(now, next.at);
      next.wake();
    }
    await over;
    return now / 1000;
  };
  return { clock, run };
};
