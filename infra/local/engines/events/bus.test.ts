import { expect, it } from 'vitest';
import type { Clock } from '../../../../shared/clock.ts';
import { createEventBus } from './bus.ts';

/** A clock whose timers fire a millisecond early, as Node's may. */
const hastyClock = (): Clock => {
  let now = 1_000;
  return {
    now: () => new Date(now),
    sleep: async (milliseconds) => {
      now += Math.max(1, milliseconds - 1);
    },
  };
};

it('runs nothing before its time, even if a timer fires early', async () => {
  const clock = hastyClock();
  const bus = createEventBus(clock);
  const at = await new Promise<number>((resolve) => bus.wake(1_300, () => resolve(clock.now().getTime())));
  expect(at).toBe(1_300);
});
