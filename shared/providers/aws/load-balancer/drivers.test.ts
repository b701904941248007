import { describe, expect, it } from 'vitest';
import { BALANCING_CACHE, BALANCING_RIGHTS, DRIVERS } from './drivers.ts';

const twice = (values: readonly unknown[]): unknown[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

describe('the drivers of a load balancer', () => {
  it('share no action, read or creation', () => {
    expect(twice(DRIVERS.flatMap(({ operations }) => Object.keys(operations)))).toEqual([]);
    expect(twice(BALANCING_CACHE.reads)).toEqual([]);
    expect(twice(BALANCING_RIGHTS.creates)).toEqual([]);
  });

  it('do not both update and invalidate an answer after a write', () => {
    const { updates = {}, invalidates } = BALANCING_CACHE;
    expect(Object.keys(updates).filter((write) => Object.hasOwn(invalidates, write))).toEqual([]);
  });
});
