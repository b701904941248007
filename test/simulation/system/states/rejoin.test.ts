import { expect, it } from 'vitest';
import { type Moment, makeRejoin } from './rejoin.ts';

const moment = (hash: string, step = 'create'): Moment => ({ hash, step, calls: 1, seconds: 1 });
const PLAIN = ['a', 'b', 'c', 'd', 'e'].map((hash) => moment(hash));

/** The state at which a lifecycle with these states has rejoined. */
const rejoinedAt = (...states: readonly string[]): string | undefined => {
  const rejoin = makeRejoin(PLAIN);
  return states.find((state) => rejoin.see('create', state) !== undefined);
};

it('a rejoin needs three states in the same order as without the fault', () => {
  expect(rejoinedAt('x', 'b', 'c', 'd')).toBe('d');
  expect(rejoinedAt('a', 'c', 'e')).toBe('e');
  expect(rejoinedAt('b', 'c')).toBeUndefined();
});

it('a rejoin starts again after an unknown state, and after an earlier one', () => {
  expect(rejoinedAt('b', 'c', 'x', 'd', 'e')).toBeUndefined();
  expect(rejoinedAt('c', 'd', 'b', 'c')).toBeUndefined();
  expect(rejoinedAt('c', 'd', 'b', 'c', 'd')).toBe('d');
});

it('a rejoin does not count a repeated state twice', () => {
  expect(rejoinedAt('b', 'b', 'b', 'b')).toBeUndefined();
  expect(rejoinedAt('b', 'c', 'b', 'c', 'b', 'c')).toBeUndefined();
});

it('a rejoin does not count the states of another step', () => {
  const rejoin = makeRejoin(PLAIN);
  expect(['b', 'c', 'd'].map((state) => rejoin.see('delete', state))).toEqual([undefined, undefined, undefined]);
});
