import { expect, it } from 'vitest';
import { isHourly } from '../../../functions/drift/left-over/hourly.ts';
import { betweenHours } from './between-hours.ts';

it.each([
  ['12:00:00', 5 * 60],
  ['12:04:30', 30],
  ['12:05:00', 0],
  ['12:58:59', 0],
  ['12:59:30', 5.5 * 60],
])('at %s, waits %d seconds for a sweep without hourly work', async (time, seconds) => {
  const start = Date.parse(`2026-11-20T${time}Z`);
  let now = start;
  const clock = {
    now: () => new Date(now),
    sleep: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
  await betweenHours(clock);
  expect((now - start) / 1000).toBe(seconds);
  expect(isHourly({ clock, sweepMinutes: 5 })).toBe(false);
});
