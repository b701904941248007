import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BrakeLimits, summaryOf } from '../../plan/drift/brake.ts';
import { startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import { createFleetBrake, type FleetBrake } from './fleet-brake.ts';

let database: TestDatabase;
let clock: ReturnType<typeof testClock>;
let brakeOf: (limits: BrakeLimits) => FleetBrake;
let brake: FleetBrake;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());
beforeEach(async () => {
  clock = testClock();
  const table = await database.makeTable();
  brakeOf = (limits) => createFleetBrake({ client: database.client, table, clock, limits });
  brake = brakeOf({ share: 0.5, least: 5 });
});

const ONLY = { index: 0, of: 1 };
const seen = (considered: number, broken: number, namespace = 'red') => summaryOf([{ namespace, considered, broken }]);
const holds = async (namespace = 'red') => (await brake.holds())(namespace);

describe('the stored fleet brake', () => {
  it('holds while too much is broken, and is released by a sweep that finds less', async () => {
    expect(await holds()).toBe(false);
    await brake.note(ONLY, seen(10, 6));
    expect(await holds()).toBe(true);
    await brake.note(ONLY, seen(10, 0));
    expect(await holds()).toBe(false);
  });

  it('is released if no sweep has run for a long time', async () => {
    await brake.note(ONLY, seen(10, 6));
    clock.advance(2 * 60 * 60 + 1);
    expect(await holds()).toBe(false);
  });

  it('adds up the findings of all parts of a sweep, including those without failures', async () => {
    await brake.note({ index: 0, of: 3 }, seen(10, 10));
    expect(await holds()).toBe(true);
    await brake.note({ index: 1, of: 3 }, seen(100, 0, 'blue'));
    expect(await holds()).toBe(false);
    await brake.note({ index: 2, of: 3 }, seen(200, 180, 'green'));
    expect([await holds('red'), await holds('blue'), await holds('green')]).toEqual([false, false, true]);
    await brake.note({ index: 1, of: 3 }, seen(100, 60, 'blue'));
    expect([await holds('red'), await holds('blue'), await holds('green')]).toEqual([true, true, true]);
  });

  it('never applies if it is off', async () => {
    await brake.note(ONLY, seen(10, 10));
    expect((await brakeOf({ share: 1, least: 5 }).holds())('red')).toBe(false);
  });
});
