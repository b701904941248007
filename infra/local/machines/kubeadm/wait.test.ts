import { expect, it } from 'vitest';
import { retryFor } from './wait.ts';

/** The pauses in milliseconds between `attempts` attempts, or until the time is over, and the resulting error. */
const pausesOf = async (milliseconds: number, attempts: number) => {
  let now = 0;
  let made = 0;
  const pauses: number[] = [];
  const clock = {
    now: () => new Date(now),
    sleep: async (pause: number) => {
      pauses.push(pause);
      now += pause;
    },
  };
  const { signal } = new AbortController();
  const attempt = async () => {
    made += 1;
    return made >= attempts ? made : undefined;
  };
  const error = await retryFor(milliseconds, { clock, signal, retryMilliseconds: 500 }, attempt).then(
    () => undefined,
    (reason: Error) => reason.message,
  );
  return { pauses, error };
};

it('retries at a constant interval at first, and later after a tenth of the time waited so far', async () => {
  expect(await pausesOf(240_000, 14)).toEqual({ pauses: [...Array(11).fill(500), 550, 605] });
});

it('waits for at most 15 seconds at a time', async () => {
  const { pauses } = await pausesOf(3_600_000, 60);
  expect(Math.max(...pauses)).toBe(15_000);
});

it('retries once more at the end of its time, and then gives up', async () => {
  const { pauses, error } = await pausesOf(10_000, 1_000);
  expect(pauses.slice(11)).toEqual([550, 605, 665, 732, 805, 885, 500]);
  expect(error).toBe('timed out waiting for the condition');
});
