import { expect, it } from 'vitest';
import { FAULT_KINDS } from '../faults/kinds.ts';
import { faultsOf, partOf, stormOf } from './jobs.ts';

const EFFECTS = ['api put', 'network create', 'api put', 'network create'];

it('plans every kind of fault at the first effect of each name', () => {
  const faults = faultsOf(EFFECTS, { kinds: FAULT_KINDS, isExhaustive: false });
  expect(faults.length).toBe(2 * FAULT_KINDS.length);
  expect(new Set(faults.map(({ effect }) => effect))).toEqual(new Set([1, 2]));
});

it('plans every kind of fault at every effect if all are requested', () => {
  expect(faultsOf(EFFECTS, { kinds: FAULT_KINDS, isExhaustive: true }).length).toBe(4 * FAULT_KINDS.length);
});

it('divides all jobs into parts that do not overlap', () => {
  const all = [1, 2, 3, 4, 5, 6, 7];
  expect([0, 1, 2].flatMap((part) => partOf(all, part, 3)).sort()).toEqual(all);
});

it('selects the same storm for the same seed, in the order of its faults', () => {
  const draw = (seed: number) => stormOf(seed, { effects: 100, faults: 5, kinds: FAULT_KINDS });
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  const numbers = draw(1).map(({ effect }) => Number(effect));
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
});
