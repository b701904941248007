import { expect, it } from 'vitest';
import { makeEventQueue } from './event-queue.ts';

it('returns the item that is due first, and of two that are due together the one that was added first', () => {
  const queue = makeEventQueue();
  const done: string[] = [];
  for (const [name, at] of [
    ['c', 30],
    ['a', 10],
    ['d', 30],
    ['b', 20],
    ['e', 30],
  ] as const)
    queue.add(at, () => done.push(name));
  for (let due = queue.take(); due !== undefined; due = queue.take()) due.act?.();
  expect(done.join('')).toBe('abcde');
});

it('skips cancelled items', () => {
  const queue = makeEventQueue();
  const cancelled = queue.add(1, () => {});
  const kept = queue.add(2, () => {});
  cancelled.act = undefined;
  expect(queue.take()).toBe(kept);
  expect(queue.take()).toBeUndefined();
});
