/** Tests creations under a name whose previous object was removed or has expired, but is still in the table. */
import { type DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject, ResourceId } from '../../kube-api/object.ts';
import type { Storage, StorageEvent } from '../../kube-api/storage/storage.ts';
import { seededRandom } from '../../seeded-random.ts';
import { interceptClient, startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import type { StoredObject } from './codec.ts';
import { createDynamoStorage } from './dynamo-storage.ts';
import { createRawAesSealer } from './sealer.ts';

const WIDGETS: ResourceId = { group: 'test.windlass.dev', plural: 'widgets' };
const EVENTS: ResourceId = { group: '', plural: 'events' };
const SECRETS: ResourceId = { group: '', plural: 'secrets' };

const object = (uid: string, app = 'x', name = 'one'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Widget',
  metadata: { name, namespace: 'a', uid, labels: { app } },
});
const formerOf = ({ metadata: { labels } }: KubeObject) => ({ parts: { '.metadata.labels': labels } });

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
  storage = storageOver(database.client);
});

const storageOver = (client: DynamoDBDocumentClient): Storage => {
  const sealer = createRawAesSealer(new Uint8Array(32));
  return createDynamoStorage({ client, table, clock, random: seededRandom(1), sealer });
};

const create = (uid: string, app?: string, resource = WIDGETS, into = storage) =>
  into.create(resource, object(uid, app), undefined, formerOf);
/** Creates an object and removes it. Returns it as it was created. */
const createAndRemove = async (uid: string, app?: string): Promise<KubeObject> => {
  const created = await create(uid, app);
  await storage.remove(WIDGETS, created);
  return created;
};

const eventsSince = ({ metadata }: KubeObject, resource = WIDGETS): Promise<StorageEvent[]> =>
  storage.changes(resource, { after: metadata.resourceVersion ?? '' }).poll();
/** What a feed reports about the past of the only object that has changed. */
const pastSince = async (after: KubeObject, resource = WIDGETS): Promise<string[] | 'unknown'> => {
  const [event, ...others] = await eventsSince(after, resource);
  expect(others).toEqual([]);
  const { uncertain, previous = [] } = event ?? {};
  return uncertain ? 'unknown' : previous.map(({ metadata }) => `${metadata.uid} ${metadata.labels?.app}`);
};

const items = async (): Promise<StoredObject[]> =>
  ((await database.client.send(new ScanCommand({ TableName: table }))).Items ?? []) as StoredObject[];
const itemOf = async (name: string): Promise<StoredObject | undefined> => (await items()).find(({ sk }) => sk === name);

describe('a creation over a tombstone', () => {
  it('takes two calls more than one under an unused name', async () => {
    await createAndRemove('first');
    const sent: string[] = [];
    const counted = interceptClient(database.client, (name) => void sent.push(name));
    await create('second', 'y', WIDGETS, storageOver(counted));
    expect(sent).toEqual(['UpdateCommand', 'PutCommand', 'GetCommand', 'PutCommand']);
  });

  it('succeeds for exactly one of several writers', async () => {
    const first = await createAndRemove('first');
    const results = await Promise.allSettled(['b', 'c', 'd', 'e'].map((uid) => create(uid, 'y')));
    const [winner, ...others] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(others).toEqual([]);
    for (const result of results) if (result.status === 'rejected') expect(result.reason.name).toBe('AlreadyExists');
    expect(await storage.get(WIDGETS, 'a', 'one')).toEqual(winner);
    expect(await pastSince(first)).toEqual(['first x']);
  });

  it('succeeds if its answer was lost and the SDK sent it again', async () => {
    const first = await createAndRemove('first');
    const duplicating = interceptClient(database.client, async (name, command) => {
      if (name === 'PutCommand') await database.client.send(command as never).catch(() => {});
    });
    const second = await create('second', 'y', WIDGETS, storageOver(duplicating));
    expect(await storage.get(WIDGETS, 'a', 'one')).toEqual(second);
    expect(await pastSince(first)).toEqual(['first x']);
  });

  it('replaces a newer tombstone that was written in the meantime', async () => {
    const first = await createAndRemove('first');
    let puts = 0;
    const overtaken = interceptClient(database.client, async (name) => {
      if (name !== 'PutCommand') return;
      puts += 1;
      if (puts === 2) await storage.remove(WIDGETS, await create('between'));
    });
    const second = await create('second', 'y', WIDGETS, storageOver(overtaken));
    expect(await storage.get(WIDGETS, 'a', 'one')).toEqual(second);
    expect(await pastSince(first)).toEqual(['between x', 'first x']);
  });

  it('that was delayed is shown with the past to watches that have already passed its version', async () => {
    await createAndRemove('first');
    let puts = 0;
    let start: KubeObject | undefined;
    const heldUp = interceptClient(database.client, async (name) => {
      if (name !== 'PutCommand') return;
      puts += 1;
      if (puts !== 2) return;
      clock.advance(60);
      start = await storage.create(WIDGETS, object('other', 'x', 'two'), undefined);
    });
    const second = await create('second', 'y', WIDGETS, storageOver(heldUp));
    expect(await storage.get(WIDGETS, 'a', 'one')).toEqual(second);
    expect(start && (await pastSince(start))).toEqual(['first x']);
  });

  it('keeps a limited number of states, however often the name is used', async () => {
    const first = await createAndRemove('first');
    for (let count = 0; count < 20; count += 1) await createAndRemove(`uid-${count}`);
    const last = await create('last', 'y');
    clock.advance(10);
    expect((await itemOf('one'))?.formerly?.length).toBeLessThanOrEqual(16);
    expect(await pastSince(first)).toBe('unknown');
    expect(await eventsSince(last)).toEqual([]);
  });

  it('stores no large parts of the removed object', async () => {
    const first = await createAndRemove('first', 'x'.repeat(3000));
    await create('second', 'y');
    expect(await pastSince(first)).toBe('unknown');
    expect(JSON.stringify((await itemOf('one'))?.formerly)).not.toContain('xxx');
  });

  it('reports an unknown past if its writer does not say what selectors can see, or an earlier release wrote the object', async () => {
    const first = await createAndRemove('first');
    await storage.create(WIDGETS, object('second'), undefined);
    expect(await pastSince(first)).toBe('unknown');
    const found = await storage.get(WIDGETS, 'a', 'one');
    const { formerly: _, ...Item } = (await itemOf('one')) as StoredObject;
    await database.client.send(new PutCommand({ TableName: table, Item }));
    if (found) await storage.remove(WIDGETS, found);
    await create('third', 'y');
    expect(await pastSince(first)).toBe('unknown');
  });

  it('of a Secret stores nothing of its data', async () => {
    const secret = { ...object('first'), kind: 'Secret', data: { password: 'Y29ycmVjdCBob3JzZQ==' } };
    const created = await storage.create(SECRETS, secret, undefined, formerOf);
    await storage.remove(SECRETS, created);
    let seen: KubeObject | undefined;
    await storage.create(SECRETS, { ...secret, metadata: object('second', 'y').metadata }, undefined, (old) => {
      seen = old;
      return formerOf(old);
    });
    expect(seen).toMatchObject({ metadata: { uid: 'first' } });
    expect(seen).not.toHaveProperty('data');
    expect(JSON.stringify((await itemOf('one'))?.formerly)).not.toContain('password');
    expect(await pastSince(created, SECRETS)).toEqual(['first x']);
  });
});

it('a creation over an expired event reports that one, of whose end watches were not informed', async () => {
  await create('first', 'x', EVENTS);
  clock.advance(60 * 60 - 10);
  const start = await storage.create(EVENTS, object('other', 'x', 'two'), undefined);
  clock.advance(10);
  await create('second', 'y', EVENTS);
  expect(await pastSince(start, EVENTS)).toEqual(['first x']);
});
