import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentOf, type Tried } from './document.ts';
import { type DriftWorld, startDriftWorld } from './drift-world.ts';
import { INSTANCE_ROWS } from './instance-rows.ts';
import { LOAD_BALANCER_ROWS } from './load-balancer-rows.ts';
import { NETWORK_ROWS } from './network-rows.ts';
import { NODE_ROWS } from './node-rows.ts';
import { type Row, tryRow } from './row.ts';
import { SECRET_ROWS } from './secret-rows.ts';

const ROWS: readonly Row[] = [...NETWORK_ROWS, ...LOAD_BALANCER_ROWS, ...INSTANCE_ROWS, ...NODE_ROWS, ...SECRET_ROWS];

const tried: Tried[] = [];
let world: DriftWorld;

beforeAll(async () => {
  world = await startDriftWorld();
});
afterAll(() => world.close());

/** One world for all rows: each row's change is repaired before the next, so that they do not affect each other. */
describe('when someone', () => {
  it.each(ROWS)('$what, each policy has the documented effect', async (row) => {
    const outcomes = await tryRow(world, row);
    tried.push({ row, outcomes });
    expect(outcomes[0]?.isSwept, 'is seen by the sweep').toBe(true);
    const verdicts = outcomes.map(({ policy, isThere, isQuiet, events, conditions }) => ({
      ...{ policy, isThere, isQuiet, isTold: events.length > 0 },
      isReported: conditions.length > 0 && !(policy === 'Repair' && row.repaired),
    }));
    expect(verdicts).toEqual(
      outcomes.map(({ policy }) => ({
        ...{ policy, isThere: policy !== 'Repair', isQuiet: true, isTold: true, isReported: policy === 'Report' },
      })),
    );
  });
});

describe('docs/drift.md', () => {
  it('contains the results (npm run docs updates it)', async () => {
    expect(tried).toHaveLength(ROWS.length);
    await expect(documentOf(tried)).toMatchFileSnapshot('../../docs/drift.md');
  });
});
