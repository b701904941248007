import { describe, expect, it } from 'vitest';
import { isIn, shardsOf } from './shards.ts';
import type { SweepResult } from './sweep.ts';
import { sweepShards } from './sweep-shards.ts';

const NAMESPACES = Array.from({ length: 1_000 }, (_, index) => `team-${index}`);

const result = (change: Partial<SweepResult>): SweepResult => ({
  ...{
    due: 0,
    stalled: 0,
    considered: 0,
    found: 0,
    isSuspicious: false,
    touched: 0,
    collected: 0,
    troubled: 0,
    passedOver: 0,
    hasFailedExport: false,
  },
  fleetMetrics: { phases: {}, certificateDays: undefined },
  ...change,
});

describe('the parts of a fleet', () => {
  it('have each namespace once, and about the same number of namespaces', () => {
    const parts = Array.from({ length: 8 }, (_, index) => NAMESPACES.filter((name) => isIn(name, { index, of: 8 })));
    expect(parts.flat().sort()).toEqual([...NAMESPACES].sort());
    for (const part of parts) expect(Math.abs(part.length - 125)).toBeLessThan(40);
    expect(NAMESPACES.every((name) => isIn(name, { index: 0, of: 1 }))).toBe(true);
  });

  it("are selected by the schedule's event, or are all", () => {
    expect(shardsOf({ shard: 2 }, 3)).toEqual([{ index: 2, of: 3 }]);
    expect(shardsOf({ source: 'aws.events' }, 1)).toEqual([{ index: 0, of: 1 }]);
    expect(shardsOf({}, 2)).toEqual([
      { index: 0, of: 2 },
      { index: 1, of: 2 },
    ]);
  });

  it.each([3, -1, 0.5, '1', null])('do not include part %j of three', (shard) => {
    expect(() => shardsOf({ shard }, 3)).toThrow(
      `shard must be a whole number from 0 to 2, not ${JSON.stringify(shard)}`,
    );
  });
});

describe('the sweeps of all parts', () => {
  const shards = shardsOf({}, 3);

  it('have the sum of their results as their result', async () => {
    const all = await sweepShards(shards, async ({ index }) => ({
      result: result({
        considered: 10,
        isSuspicious: index === 1,
        fleetMetrics: { phases: { Running: 5 }, certificateDays: index === 0 ? undefined : 100 - index },
      }),
      faults: [],
    }));
    expect(all.result).toMatchObject({ considered: 30, isSuspicious: true });
    expect(all.result.fleetMetrics).toEqual({ phases: { Running: 15 }, certificateDays: 98 });
    expect(all.faults).toEqual([]);
  });

  it('continue after a failed one, and keep the results of the others', async () => {
    const [silent, unread] = [new Error('no table'), new Error('no answer')];
    const { result: kept, faults } = await sweepShards(shards, async ({ index }) => {
      if (index === 0) throw silent;
      return { result: result({ stalled: 1 }), faults: index === 1 ? [unread] : [] };
    });
    expect(kept.stalled).toBe(2);
    expect(faults).toEqual([silent, unread]);
  });
});
