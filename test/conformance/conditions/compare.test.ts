import { describe, expect, it } from 'vitest';
import { type Conditions, compareConditions, orderOf } from './conditions.ts';

const of = (types: Readonly<Record<string, string[]>>): Conditions =>
  new Map([['Machine of a worker', new Map(Object.entries(types))]]);

describe('the comparison of conditions', () => {
  it.each([
    { what: 'another text', here: of({ Ready: ['True Ready went well'] }) },
    { what: 'another text on one object', here: of({ Ready: ['False NotReady', 'True Ready'] }) },
    { what: 'a missing condition', here: of({}) },
    { what: 'a missing object', here: new Map() },
  ])('finds $what', ({ here }) => {
    const { alike, different } = compareConditions(of({ Ready: ['True Ready'] }), here);

    expect(alike).toEqual([]);
    expect(different).toMatchObject([{ subject: 'Machine of a worker', type: 'Ready', upstream: ['True Ready'] }]);
  });

  it('finds a condition that upstream does not have', () => {
    expect(compareConditions(of({}), of({ Ready: ['True Ready'] })).different).toHaveLength(1);
  });

  it('finds a different order, ignoring conditions that only one side has', () => {
    const [theirs, ours] = [of({ A: [''], B: [''], C: [''] }), of({ D: [''], B: [''], A: [''] })];

    expect(orderOf('Machine of a worker', theirs, ours)).toEqual(['A', 'B']);
    expect(orderOf('Machine of a worker', ours, theirs)).toEqual(['B', 'A']);
  });
});
