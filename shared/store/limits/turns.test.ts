import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Budget, Turns } from '../../aws/pace/turns.ts';
import { startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import { createTurns } from './turns.ts';

const LAUNCHES: Budget = { owner: '000000000000 home', name: 'ec2 RunInstances', capacity: 5, refillPerSecond: 2 };
const EMPTY = { isEmpty: true, patience: 3_000 };
const USUAL = { isEmpty: false, patience: 3_000 };

let database: TestDatabase;
let clock: ReturnType<typeof testClock>;
let table: string;
let turns: Turns;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());
beforeEach(async () => {
  clock = testClock();
  table = await database.makeTable();
  turns = createTurns({ client: database.client, table, clock });
});

/** The times at which the leased tokens may be used, in milliseconds from now. */
const offsets = (lease: { at: number; every: number } | undefined, tokens: number): number[] | undefined =>
  lease && Array.from({ length: tokens }, (_, index) => lease.at + index * lease.every - clock.now().getTime());

describe('the turns of calls', () => {
  it('follow each other at the rate of the bucket from the moment at which AWS refuses', async () => {
    expect(offsets(await turns.lease(LAUNCHES, 2, EMPTY), 2)).toEqual([0, 500]);
    expect(offsets(await turns.lease(LAUNCHES, 3, USUAL), 3)).toEqual([1_000, 1_500, 2_000]);
    expect(offsets(await turns.lease({ ...LAUNCHES, owner: '111111111111 home' }, 1, EMPTY), 1)).toEqual([0]);
  });

  it('are refused if they are too late, and then none is taken', async () => {
    await turns.lease(LAUNCHES, 8, EMPTY);
    expect(await turns.lease(LAUNCHES, 1, USUAL)).toBeUndefined();
    clock.advance(1);
    expect(offsets(await turns.lease(LAUNCHES, 1, USUAL), 1)).toEqual([3_000]);
  });

  it('expire if their process has died', async () => {
    await turns.lease(LAUNCHES, 6, EMPTY);
    clock.advance(4);
    expect(offsets(await turns.lease(LAUNCHES, 1, USUAL), 1)).toEqual([-1_000]);
  });

  it('accumulate up to the capacity, unless AWS has just refused a call', async () => {
    await turns.lease(LAUNCHES, 1, EMPTY);
    clock.advance(3_600);
    expect(offsets(await turns.lease(LAUNCHES, 6, USUAL), 6)).toEqual([-2_500, -2_000, -1_500, -1_000, -500, 0]);
    clock.advance(3_600);
    expect(offsets(await turns.lease(LAUNCHES, 1, EMPTY), 1)).toEqual([0]);
  });

  it('are never issued twice, for any number of concurrent requests', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => turns.lease(LAUNCHES, 1, EMPTY)));
    const given = all.flatMap((lease) => (lease ? [lease.at] : []));
    expect(given.length).toBeGreaterThanOrEqual(6);
    expect(new Set(given).size).toBe(given.length);
  });
});
