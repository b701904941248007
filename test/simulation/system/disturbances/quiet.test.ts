import { expect, it } from 'vitest';
import type { World } from '../world.ts';
import { makeQuiet } from './quiet.ts';

const MINUTE = 60_000;

/** The result of the next poll after the quiet time, if executions have started at these minutes. */
const lackAt = async (minutes: number, starts: readonly number[]): Promise<string | undefined> => {
  let now = 0;
  const executions = () => starts.map((minute) => ({ startDate: new Date(minute * MINUTE) }));
  const world = { account: { clock: { now: () => new Date(now) } }, laptop: { runtime: { executions } } };
  const quiet = makeQuiet(world as unknown as World);
  await quiet.lacks(async () => []);
  now = minutes * MINUTE;
  return quiet.lacks(async () => []);
};

it('reports more than four executions within ten minutes, from two minutes after the last change', async () => {
  expect(await lackAt(12, [1, 3, 5, 7, 9])).toBeUndefined();
  expect(await lackAt(12, [3, 5, 7, 9, 11])).toMatch(/^5 executions /);
});

it('counts no execution after the ten minutes, however late the next poll is', async () => {
  expect(await lackAt(12.5, [3, 5, 7, 9, 12.25])).toBeUndefined();
});
