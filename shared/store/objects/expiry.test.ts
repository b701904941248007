import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject, ResourceId } from '../../kube-api/object.ts';
import type { Storage } from '../../kube-api/storage/storage.ts';
import { seededRandom } from '../../seeded-random.ts';
import { NAMESPACES } from '../keys.ts';
import { startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import { createDynamoStorage } from './dynamo-storage.ts';
import { createRawAesSealer } from './sealer.ts';

// dynalite does not delete expired items, just as DynamoDB may take days to.

const EVENTS: ResourceId = { group: '', plural: 'events' };
const WIDGETS: ResourceId = { group: 'test.windlass.dev', plural: 'widgets' };
const HOUR = 60 * 60;

let database: TestDatabase;
let clock: ReturnType<typeof testClock>;
let storage: Storage;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());
beforeEach(async () => {
  clock = testClock();
  const sealer = createRawAesSealer(new Uint8Array(32));
  const table = await database.makeTable();
  storage = createDynamoStorage({ client: database.client, table, clock, random: seededRandom(1), sealer });
  await storage.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } }, undefined);
});

const event = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Event', metadata: { name, namespace: 'a' } });
const make = (name: string) => storage.create(EVENTS, event(name), undefined);
const names = async (namespace?: string) =>
  (await storage.list(EVENTS, { namespace })).items.map(({ metadata }) => metadata.name);

describe('an event', () => {
  it('expires an hour after its last write', async () => {
    const counted = await make('counted');
    await make('once');
    clock.advance(HOUR - 60);
    await storage.update(EVENTS, counted, undefined);
    expect(await names('a')).toEqual(['counted', 'once']);
    clock.advance(60);
    expect([await names('a'), await names()]).toEqual([['counted'], ['counted']]);
    expect(await storage.get(EVENTS, 'a', 'once')).toBeUndefined();
    clock.advance(HOUR - 60);
    expect(await names('a')).toEqual([]);
  });

  it('that has expired makes room for a new one of the same name, which a watch shows', async () => {
    const first = await make('once');
    clock.advance(HOUR);
    const { resourceVersion } = await storage.list(EVENTS, { namespace: 'a' });
    const feed = storage.changes(EVENTS, { namespace: 'a', after: resourceVersion });
    const again = await make('once');
    expect(Number(again.metadata.resourceVersion)).toBeGreaterThan(Number(first.metadata.resourceVersion));
    expect((await feed.poll()).map(({ type, object }) => [type, object.metadata.name])).toEqual([['ADDED', 'once']]);
    await expect(make('once')).rejects.toThrow('already exists');
  });

  it('that has expired does not count in the pages of a list', async () => {
    for (const name of ['a', 'b', 'c']) await make(name);
    clock.advance(HOUR);
    for (const name of ['d', 'e', 'f']) await make(name);
    const first = await storage.list(EVENTS, { namespace: 'a', limit: 2 });
    const second = await storage.list(EVENTS, { namespace: 'a', limit: 2, continue: first.continue });
    expect([...first.items, ...second.items].map(({ metadata }) => metadata.name)).toEqual(['d', 'e', 'f']);
  });
});

it('objects of other kinds do not expire', async () => {
  await storage.create(WIDGETS, { ...event('kept'), kind: 'Widget' }, undefined);
  clock.advance(1000 * HOUR);
  expect((await storage.list(WIDGETS, { namespace: 'a' })).items).toHaveLength(1);
});
