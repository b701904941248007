import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../seeded-random.ts';
import { startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import { createMemoryPledges } from './memory-pledges.ts';
import { createPledgeStore, type PledgeStore } from './pledges.ts';
import { createWorkStore } from './work-store.ts';

const cluster = { namespace: 'default', name: 'demo', uid: 'u' };
const write = { group: '', plural: 'secrets', namespace: 'default', name: 'ca', clusterNames: ['demo'] };

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

type Make = (clock: ReturnType<typeof testClock>) => Promise<PledgeStore>;

describe.each<[string, Make]>([
  [
    'the table',
    async (clock) => {
      const table = await database.makeTable();
      return createPledgeStore({ client: database.client, table, clock, random: seededRandom(1) });
    },
  ],
  ['memory', async (clock) => createMemoryPledges({ clock })],
])('a pledge in %s', (_, make) => {
  it('is open after its grace period until it is redeemed, and abandoned when its process can no longer be running', async () => {
    const clock = testClock();
    const pledges = await make(clock);
    const id = await pledges.give({ clusters: [cluster] });
    const other = await pledges.give({ write });
    expect(await pledges.open(clock.now())).toEqual([]);

    clock.advance(31);
    await pledges.redeem(other);
    expect(await pledges.open(clock.now())).toEqual([{ id, isAbandoned: false, clusters: [cluster] }]);

    clock.advance(15 * 60);
    expect(await pledges.open(clock.now())).toEqual([{ id, isAbandoned: true, clusters: [cluster] }]);
    await pledges.redeem(id);
    await pledges.redeem(id);
    expect(await pledges.open(clock.now())).toEqual([]);
  });

  it('of a write contains the write', async () => {
    const clock = testClock();
    const pledges = await make(clock);
    await pledges.give({ write });
    clock.advance(31);
    expect(await pledges.open(clock.now())).toMatchObject([{ write }]);
  });
});

it('a pledge is not listed as the work of a cluster', async () => {
  const clock = testClock();
  const store = { client: database.client, table: await database.makeTable(), clock };
  await createPledgeStore({ ...store, random: seededRandom(1) }).give({ clusters: [cluster] });
  clock.advance(60);
  expect(await createWorkStore(store).due(clock.now())).toEqual([]);
});
