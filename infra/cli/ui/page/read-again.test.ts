import { expect, it } from 'vitest';
import { readAgain } from './read-again.ts';

/** The seconds at which reads start within ten minutes, if each read takes this number of seconds. */
const readsOf = async (took: number, revisionAt: (second: number) => string): Promise<number[]> => {
  const controller = new AbortController();
  const reads: number[] = [];
  let time = 0;
  await readAgain({
    read: async () => {
      reads.push(time / 1000);
      time += took * 1000;
    },
    revision: () => revisionAt(time / 1000),
    now: () => time,
    sleep: async (milliseconds) => {
      time += milliseconds;
      if (time > 600_000) controller.abort();
    },
    signal: controller.signal,
  });
  return reads;
};

it.each<[string, number, (second: number) => string, number[]]>([
  ['nothing while there is no revision', 1, () => '', []],
  ['at once, and every minute', 0, () => 'a', [0, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600]],
  ['after a change', 0, (second) => (second < 20 ? 'a' : 'b'), [0, 20, 80, 140, 200, 260, 320, 380, 440, 500, 560]],
  [
    'after a change, but not within ten seconds',
    0,
    (second) => (second < 2 ? 'a' : 'b'),
    [0, 10, 70, 130, 190, 250, 310, 370, 430, 490, 550],
  ],
])('reads %s', async (_, took, revisionAt, expected) => {
  expect(await readsOf(took, revisionAt)).toEqual(expected);
});

it('spends at most a tenth of the time on reads, however often the data changes', async () => {
  const reads = await readsOf(20, (second) => String(second));
  expect(reads).toEqual([0, 220, 440]);
});
