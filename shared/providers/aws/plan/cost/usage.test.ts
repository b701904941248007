import { describe, expect, it } from 'vitest';
import { readPriceFile } from './price-file.ts';
import { UNITS } from './units.ts';
import { LIST_PRICES } from './us-east-1.ts';
import { addUsage, billOf, timesUsage, usageSince, withoutUnits } from './usage.ts';

describe('the usage of Windlass', () => {
  it('can be added, subtracted and multiplied by unit', () => {
    const before = { transitions: 10, readUnits: 1 };
    const after = addUsage(before, { transitions: 5, writeUnits: 2 });
    expect(usageSince(before, after)).toEqual({ transitions: 5, readUnits: 0, writeUnits: 2 });
    expect(timesUsage(after, 2)).toEqual({ transitions: 30, readUnits: 2, writeUnits: 4 });
    expect(withoutUnits(after, ['transitions'])).toEqual({ readUnits: 1, writeUnits: 2 });
  });

  it('costs the sum of its units, each of which has a price', () => {
    const bill = billOf({ transitions: 1000, writeUnits: 2_000_000, executions: 7 }, 'us-east-1', [LIST_PRICES]);
    expect(bill.usd).toBeCloseTo(0.025 + 1.25, 9);
    expect(bill.lines.map(({ item, usd }) => [item, usd])).toEqual([
      ['state transitions', 0.025],
      ['executions', 0],
      ['write units', 1.25],
    ]);
    const every = Object.fromEntries(Object.keys(UNITS).map((unit) => [unit, 1]));
    expect(billOf(every, 'us-east-1', [LIST_PRICES])).toMatchObject({ isLowerBound: false });
    expect(bill.sources).toEqual(['AWS list prices of us-east-1, 2026-07-20']);
  });

  it('is a lower bound if a unit has no price, as in China', () => {
    expect(billOf({ transitions: 1 }, 'cn-north-1', [LIST_PRICES])).toMatchObject({ usd: 0, isLowerBound: true });
  });

  it('is charged at the prices of a file first, and an unbilled unit in the file is refused', () => {
    const file = readPriceFile('date: 2026-11-01\nregions: {eu-central-1: {services: {transitions: 0.00003}}}');
    expect(billOf({ transitions: 1000 }, 'eu-central-1', [file, LIST_PRICES]).usd).toBeCloseTo(0.03, 9);
    expect(() => readPriceFile('date: 2026-11-01\nregions: {eu-central-1: {services: {jumps: 1}}}')).toThrow(
      'regions.eu-central-1.services has unknown fields: jumps',
    );
  });
});
