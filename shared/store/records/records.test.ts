import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../random.ts';
import { startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import { createMemoryRecords } from './memory-records.ts';
import { createRecords, type Records } from './records.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

const clock = testClock();
const makers: Record<string, () => Promise<Records>> = {
  'the table': async () =>
    createRecords({ client: database.client, table: await database.makeTable(), clock, random: systemRandom }),
  memory: async () => createMemoryRecords(() => clock.now().getTime()),
};
const RED = { namespace: 'default', uid: 'uid-red' };
const BLUE = { namespace: 'default', uid: 'uid-blue' };

describe.each(Object.entries(makers))('records in %s', (_name, make) => {
  let records: Records;
  beforeEach(async () => {
    records = await make();
  });

  it('are read as they were written, in the order of the requested owners', async () => {
    const long = { launch: 'x'.repeat(5000), settled: 'network=1' };

    expect(await records.write(RED, long, 0)).toEqual({ version: 1, entries: long });

    expect(await records.read([BLUE, RED])).toEqual([
      { version: 0, entries: {} },
      { version: 1, entries: long },
    ]);
  });

  it("are not written over another writer's changes", async () => {
    await records.write(RED, { turn: 'first' }, 0);

    expect(await records.write(RED, { turn: 'late' }, 0)).toBeUndefined();
    expect(await records.write(RED, { turn: 'second' }, 1)).toMatchObject({ version: 2 });
    expect(await records.write(RED, { turn: 'late' }, 1)).toBeUndefined();
    expect(await records.read([RED])).toEqual([{ version: 2, entries: { turn: 'second' } }]);
  });

  it('are read together by namespace, without ended ones and those of other namespaces', async () => {
    await records.write(RED, { launch: 'x'.repeat(5000) }, 0);
    await records.write({ ...BLUE, namespace: 'other' }, { launch: 'other' }, 0);
    await records.end(BLUE, 0);

    const found = await records.survey('default');

    expect(found.get(RED.uid)).toEqual({ version: 1, entries: { launch: 'x'.repeat(5000) } });
    expect(found.get(BLUE.uid)).toEqual({ version: 1, entries: {} });
    expect(found.size).toBe(2);
  });

  it('refuse a late write for a deleted object', async () => {
    expect(await records.end(RED, 0)).toBe(true);

    expect(await records.write(RED, { launch: 'late' }, 0)).toBeUndefined();
    expect(await records.list('default')).toEqual([]);
  });

  it('do not end if they were written in the meantime', async () => {
    await records.write(RED, { launch: 'decided' }, 0);

    expect(await records.end(RED, 0)).toBe(false);
  });

  it('are listed by namespace', async () => {
    await records.write(RED, { launch: 'decided' }, 0);
    await records.write({ namespace: 'other', uid: 'uid-green' }, {}, 0);

    expect(await records.list('default')).toEqual([{ ...RED, version: 1, at: clock.now().getTime() }]);
  });
});
