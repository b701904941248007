import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { makeHandClock } from '../../test-aws.ts';
import { makeTurns } from './turns.ts';

/** `count` tasks that end only when `endOne` is called, on threads that are as busy as `state.share`. */
const setUp = (count: number) => {
  const clock = makeHandClock();
  const state = { share: 1, begun: 0 };
  const turns = makeTurns({ clock, utilization: () => state.share });
  const ends: (() => void)[] = [];
  const work = () =>
    new Promise<void>((resolve) => {
      state.begun += 1;
      ends.push(resolve);
    });
  const all = Promise.all(Array.from({ length: count }, () => turns.run(work)));
  const look = async (): Promise<void> => {
    clock.advance(250);
    await turnOfLoop();
  };
  const endOne = async (): Promise<void> => {
    const end = ends.shift();
    if (end === undefined) throw new Error('no work has begun');
    end();
    await turnOfLoop();
  };
  return { turns, state, ends, all, look, endOne };
};

it('runs a limited number at once while the threads are saturated, and the next when one ends', async () => {
  const { state, look, endOne } = setUp(40);
  await turnOfLoop();
  expect(state.begun).toBe(16);
  await look();
  expect(state.begun).toBe(16);
  await endOne();
  expect(state.begun).toBe(17);
});

it('starts more if those that run only wait', async () => {
  const { state, look } = setUp(40);
  state.share = 0.1;
  await look();
  expect(state.begun).toBe(24);
  await look();
  await look();
  expect(state.begun).toBe(40);
});

it('returns to the limited number when the threads are saturated again', async () => {
  const { state, ends, look, endOne } = setUp(60);
  state.share = 0.1;
  for (let looks = 0; looks < 3; looks += 1) await look();
  expect(state.begun).toBe(40);
  state.share = 1;
  await look();
  for (let ended = 0; ended < 20; ended += 1) await endOne();
  expect(state.begun).toBe(40);
  expect(ends).toHaveLength(20);
  await endOne();
  expect(state.begun).toBe(41);
});

it('runs everything, and settles like the work', async () => {
  const { turns, all, state, endOne } = setUp(30);
  const failed = turns.run(() => Promise.reject(new Error('broken')));
  failed.catch(() => undefined);
  await turnOfLoop();
  for (let ended = 0; ended < 30; ended += 1) await endOne();
  await all;
  expect(state.begun).toBe(30);
  await expect(failed).rejects.toThrow('broken');
});

it('drops what has not started', async () => {
  const { turns, state, endOne } = setUp(20);
  await turnOfLoop();
  turns.clear();
  for (let ended = 0; ended < 16; ended += 1) await endOne();
  expect(state.begun).toBe(16);
});
