import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject, ResourceId } from '../../kube-api/object.ts';
import type { Storage } from '../../kube-api/storage/storage.ts';
import { seededRandom } from '../../seeded-random.ts';
import { NAMESPACES } from '../keys.ts';
import { startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import { createCounters } from './counter.ts';
import { createDynamoStorage } from './dynamo-storage.ts';
import { createRawAesSealer } from './sealer.ts';

const WIDGETS: ResourceId = { group: 'test.windlass.dev', plural: 'widgets' };
const widget = (name: string): KubeObject => ({
  apiVersion: 'test.windlass.dev/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'a' },
});
const versionOf = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion);

let database: TestDatabase;
let clock: ReturnType<typeof testClock>;
let table: string;
let storage: Storage;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());
beforeEach(async () => {
  clock = testClock();
  table = await database.makeTable();
  const sealer = createRawAesSealer(new Uint8Array(32));
  storage = createDynamoStorage({ client: database.client, table, clock, random: seededRandom(1), sealer });
  await storage.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } }, undefined);
});

describe('a table that was restored to an earlier state', () => {
  it('issues only versions that it never issued before, and makes every watch start again', async () => {
    const before = await storage.create(WIDGETS, widget('one'), undefined);
    const watch = storage.changes(WIDGETS, { namespace: 'a', after: before.metadata.resourceVersion ?? '' });
    await createCounters({ client: database.client, table, clock }).leap(WIDGETS);
    await expect(watch.poll()).rejects.toThrow('too old resource version');
    const { resourceVersion, items } = await storage.list(WIDGETS, { namespace: 'a' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['one']);
    const again = storage.changes(WIDGETS, { namespace: 'a', after: resourceVersion });
    const after = await storage.create(WIDGETS, widget('two'), undefined);
    expect(versionOf(after)).toBeGreaterThan(versionOf(before) + 1e9);
    expect((await again.poll()).map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual(['ADDED two']);
    const { metadata } = (await storage.get(WIDGETS, 'a', 'one')) as KubeObject;
    expect(metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    await expect(storage.changes(WIDGETS, { after: String(versionOf(before)) }).poll()).rejects.toThrow('too old');
  });

  it('does not create a counter that did not exist before', async () => {
    await createCounters({ client: database.client, table, clock }).leap(WIDGETS);
    expect(versionOf(await storage.create(WIDGETS, widget('first'), undefined))).toBe(2);
  });
});
