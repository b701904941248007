import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClusterRef } from '../../work/payloads.ts';
import { startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import { createWorkStore } from '../work/work-store.ts';
import { createReporterStore, type ReporterStore } from './reporters.ts';

const RED: ClusterRef = { namespace: 'a', name: 'red', uid: 'u-1' };

let database: TestDatabase;
let table: string;
let reporters: ReporterStore;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());
beforeEach(async () => {
  table = await database.makeTable();
  reporters = createReporterStore({ client: database.client, table });
});

const known = async () => {
  const found = await reporters.get(RED.uid);
  if (!found) throw new Error('nobody is known');
  return found;
};

describe('a reporter of changes', () => {
  it('is unknown until it is trusted', async () => {
    expect(await reporters.get(RED.uid)).toBeUndefined();
    await reporters.trust(RED, 'd-1');
    expect(await reporters.get(RED.uid)).toEqual({ cluster: RED, digest: 'd-1' });
  });

  it('is admitted only once for requests that have read the same state', async () => {
    await reporters.trust(RED, 'd-1');
    const seen = await known();
    const next = { lastAt: 1000, fullAt: 2000 };
    const admitted = await Promise.all([reporters.admit(seen, next), reporters.admit(seen, next)]);
    expect(admitted.sort()).toEqual([false, true]);
    expect(await known()).toEqual({ cluster: RED, digest: 'd-1', ...next });
    expect(await reporters.admit(await known(), { lastAt: 3000, fullAt: 4000 })).toBe(true);
  });

  it('keeps its budget if its token is replaced, and is no longer admitted with the old token', async () => {
    await reporters.trust(RED, 'd-1');
    await reporters.admit(await known(), { lastAt: 1000, fullAt: 2000 });
    const seen = await known();
    await reporters.trust(RED, 'd-2');
    expect(await known()).toEqual({ cluster: RED, digest: 'd-2', lastAt: 1000, fullAt: 2000 });
    expect(await reporters.admit(seen, { lastAt: 3000, fullAt: 4000 })).toBe(false);
  });

  it('is removed with the work of its cluster, and is not restored by a late report', async () => {
    await reporters.trust(RED, 'd-1');
    const seen = await known();
    await createWorkStore({ client: database.client, table, clock: testClock() }).remove(RED);
    expect(await reporters.get(RED.uid)).toBeUndefined();
    expect(await reporters.admit(seen, { lastAt: 1000, fullAt: 2000 })).toBe(false);
    expect(await reporters.get(RED.uid)).toBeUndefined();
  });
});
