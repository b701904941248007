import { expect, it } from 'vitest';
import { makeNotes } from './notes.ts';
import type { Scheduler } from './virtual/scheduler.ts';
import { makeWaiting } from './waiting.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A wait on a clock that advances automatically, second by second. */
const waitingWith = (onSecond: (now: number, accuse: (breaches: string[]) => void) => void = () => {}) => {
  let now = 0;
  const notes = makeNotes(() => now);
  const run = async (isDone: () => boolean): Promise<void> => {
    for (;;) {
      await new Promise(setImmediate);
      if (isDone()) return;
      now += SECOND;
      onSecond(now, notes.accuse);
    }
  };
  const scheduler = { now: () => now, after: () => ({ at: 0 }), run } as unknown as Scheduler;
  return { notes, now: () => now, ...makeWaiting({ scheduler, notes, isOver: () => false }) };
};

it('polls every five seconds at first, and every 30 seconds later', async () => {
  const { until, now } = waitingWith();
  const polls: number[] = [];
  await until('step', async () => {
    polls.push(now());
    return now() < 20 * MINUTE ? 'it is not there' : undefined;
  });
  const pauses = polls.map((at, index) => at - (polls[index - 1] ?? 0)).slice(1);
  expect(pauses.slice(0, 10)).toEqual(Array(10).fill(5 * SECOND));
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses.at(-1)).toBe(30 * SECOND);
});

it('reports what is still missing when the time is up', async () => {
  const { until, notes, now } = waitingWith();
  expect(await until('step', async () => 'it is not there', 10 * MINUTE)).toBe(false);
  expect([...notes.breaches]).toEqual(['stuck: step: it is not there']);
  expect(now()).toBeLessThanOrEqual(10 * MINUTE + 31 * SECOND);
});

it('ends at once with a violation, even between two polls', async () => {
  const { until, now } = waitingWith((at, accuse) => at === 15 * MINUTE + SECOND && accuse(['two instances']));
  expect(await until('step', async () => 'it is not there')).toBe(false);
  expect(now()).toBe(15 * MINUTE + SECOND);
});
