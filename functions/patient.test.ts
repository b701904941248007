import { expect, it } from 'vitest';
import type { Clock } from '../shared/clock.ts';
import type { Progress } from '../shared/plan/machines/waiting.ts';
import { patient } from './patient.ts';

const DONE: Progress = { progress: 'done', waitSeconds: 0 };
const wait = (waitSeconds: number): Progress => ({ progress: 'wait', waitSeconds });

/**
 * A step that returns the given answers in turn, on a clock that advances with sleeps and by `lasts` with each check.
 */
const answering = (answers: readonly Progress[], { seconds = 10, lasts = 0 } = {}) => {
  let now = 0;
  const sleeps: number[] = [];
  const clock: Clock = {
    now: () => new Date(now),
    sleep: async (milliseconds) => {
      sleeps.push(milliseconds / 1000);
      now += milliseconds;
    },
  };
  let looks = 0;
  const step = async (_input: object, _context: object): Promise<Progress> => {
    looks += 1;
    now += lasts * 1000;
    return answers[looks - 1] ?? answers.at(-1) ?? DONE;
  };
  const run = patient(step, { clock, seconds });
  return { run: () => run({}, {}), sleeps, looks: () => looks };
};

it('checks again after short waits, until there is nothing to wait for', async () => {
  const { run, sleeps } = answering([wait(1), wait(2), DONE]);
  expect(await run()).toEqual(DONE);
  expect(sleeps).toEqual([1, 2]);
});

it('leaves a long wait to the workflow', async () => {
  const { run, sleeps } = answering([wait(1), wait(10), DONE], { seconds: 30 });
  expect(await run()).toEqual(wait(10));
  expect(sleeps).toEqual([1]);
});

it('ends when its time is up, including the time of the checks', async () => {
  const quick = answering([wait(4)]);
  expect(await quick.run()).toEqual(wait(4));
  expect(quick.sleeps).toEqual([4, 4]);
  const slow = answering([wait(4)], { lasts: 4 });
  await slow.run();
  expect(slow.sleeps).toEqual([4]);
});

it('ends immediately if machines are finished or the step fails', async () => {
  const finished = { ...wait(1), finished: [{ name: 'm', uid: 'u' }], anyFinished: true };
  expect(await answering([finished, DONE]).run()).toEqual(finished);
  const failed: Progress = { progress: 'failed', waitSeconds: 0 };
  expect(await answering([failed, DONE]).run()).toEqual(failed);
});

it('ends even if the clock stands still', async () => {
  let looks = 0;
  const clock: Clock = { now: () => new Date(0), sleep: async () => {} };
  const step = async () => {
    looks += 1;
    return wait(1);
  };
  await patient(step, { clock, seconds: 5 })({}, {});
  expect(looks).toBe(6);
});
