/** Tests what a watch with a selector shows when it resumes from a version, with storage in the table. */
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../kube-api/object.ts';
import { createTestServer, PATH } from '../../kube-api/server/test-server.ts';
import type { Storage } from '../../kube-api/storage/storage.ts';
import { gizmo } from '../../kube-api/test-kinds.ts';
import { seededRandom } from '../../seeded-random.ts';
import { interceptClient, startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import type { StoredObject } from './codec.ts';
import { createDynamoStorage } from './dynamo-storage.ts';
import { createRawAesSealer } from './sealer.ts';

const MERGE = { 'content-type': 'application/merge-patch+json' };

let database: TestDatabase;
let table: string;
let clock: ReturnType<typeof testClock>;
let server: Awaited<ReturnType<typeof createTestServer>>;
/** Called before each request to the database. */
let before: (command: string, input: unknown) => Promise<void> | void;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());
beforeEach(async () => {
  table = await database.makeTable();
  before = () => {};
  const client = interceptClient(database.client, (name, { input }) => before(name, input));
  clock = testClock();
  const sealer = createRawAesSealer(new Uint8Array(32));
  const storage: Storage = createDynamoStorage({ client, table, clock, random: seededRandom(1), sealer });
  server = await createTestServer({ storage });
});

const version = async (): Promise<string> => (await server.call('GET', PATH)).body.metadata.resourceVersion;
const create = (name: string, labels: Record<string, string> = {}) =>
  server.call('POST', PATH, gizmo(name, {}, { labels }));
const label = (name: string, labels: Record<string, string | null>) =>
  server.call('PATCH', `${PATH}/${name}`, { metadata: { labels } }, MERGE);
const remove = (name: string) => server.call('DELETE', `${PATH}/${name}`);

/** The item in which an object is stored. */
const itemOf = async (name: string): Promise<Partial<StoredObject>> => {
  const { Items = [] } = await database.client.send(new ScanCommand({ TableName: table }));
  return Items.find(({ pk, sk }) => String(pk).startsWith('toys.windlass.dev/gizmos|') && sk === name) ?? {};
};

interface Line {
  type: string;
  object: KubeObject;
}

const watch = async (query: string): Promise<Line[]> => {
  const text = await (await server.send('GET', `${PATH}?watch=true&${query}`)).text();
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
};
/** The events for objects labelled `app=x` after a version. */
const shown = async (after: string): Promise<string[]> =>
  (await watch(`labelSelector=app%3Dx&resourceVersion=${after}&timeoutSeconds=1`)).map(
    ({ type, object }) => `${type} ${object.metadata.name}`,
  );

describe('a watch with a selector that resumes from a version', () => {
  it('reports nothing about objects that never matched, whether changed or deleted', async () => {
    for (const name of ['changed', 'deleted', 'both']) await create(name, { app: 'y' });
    const after = await version();
    await label('changed', { other: 'z' });
    await label('both', { other: 'z' });
    await remove('deleted');
    await remove('both');
    expect(await shown(after)).toEqual([]);
  });

  it('shows objects that stopped matching as deleted, whatever happened to them later', async () => {
    for (const name of ['changed', 'deleted', 'relabelled', 'returned']) await create(name, { app: 'x' });
    const after = await version();
    await label('changed', { app: 'y' });
    await label('changed', { other: 'z' });
    await remove('deleted');
    await label('relabelled', { app: null });
    await remove('relabelled');
    await label('returned', { app: null });
    await label('returned', { app: 'x' });
    expect(await shown(after)).toEqual([
      'DELETED changed',
      'DELETED deleted',
      'DELETED relabelled',
      'MODIFIED returned',
    ]);
  });

  it('shows objects that started to match, and new objects that match, as added', async () => {
    await create('old', { app: 'y' });
    const after = await version();
    await label('old', { app: 'x' });
    await create('new', { app: 'x' });
    expect(await shown(after)).toEqual(['ADDED old', 'ADDED new']);
  });

  it('shows objects that matched after its version and no longer do as deleted, because a list may have shown them', async () => {
    const after = await version();
    await create('relabelled', { app: 'x' });
    await create('removed', { app: 'x' });
    await create('never', { app: 'y' });
    await label('relabelled', { app: 'y' });
    await remove('removed');
    await remove('never');
    expect(await shown(after)).toEqual(['DELETED relabelled', 'DELETED removed']);
  });

  it('shows objects that were replaced by ones that do not match as deleted, whatever happens to those', async () => {
    for (const name of ['one', 'two', 'three']) await create(name, { app: 'x' });
    const after = await version();
    for (const name of ['one', 'two', 'three']) {
      await remove(name);
      await create(name, { app: 'y' });
    }
    await label('two', { app: 'z' });
    await remove('three');
    expect(await shown(after)).toEqual(['DELETED one', 'DELETED two', 'DELETED three']);
    expect(await shown(await version())).toEqual([]);
  });

  it('shows nothing of objects that were replaced if neither they nor their replacements matched', async () => {
    await create('one', { app: 'y' });
    const after = await version();
    await remove('one');
    await create('one', { app: 'z' });
    expect(await shown(after)).toEqual([]);
  });

  it('shows an unnecessary deletion rather than none if an object was removed before its version and replaced after it', async () => {
    await create('one', { app: 'x' });
    await remove('one');
    const after = await version();
    await create('one', { app: 'y' });
    expect(await shown(after)).toEqual(['DELETED one']);
  });

  it('shows a replacement that matches as added, whether the former object matched or not', async () => {
    await create('one', { app: 'x' });
    await create('two', { app: 'y' });
    const after = await version();
    for (const name of ['one', 'two']) {
      await remove(name);
      await create(name, { app: 'x' });
    }
    await label('one', { other: 'z' });
    expect(await shown(after)).toEqual(['ADDED two', 'ADDED one']);
  });

  it('sends what is known of a replaced object, and nothing of its replacement', async () => {
    const first = (await create('one', { app: 'x' })).body;
    const after = await version();
    await remove('one');
    await create('one', { app: 'y' });
    const { name, namespace, uid, labels } = first.metadata;
    const [event] = await watch(`labelSelector=app%3Dx&resourceVersion=${after}&timeoutSeconds=1`);
    expect(event?.object).toEqual({
      apiVersion: first.apiVersion,
      kind: first.kind,
      metadata: { name, namespace, uid, labels, resourceVersion: await version() },
    });
  });

  it('uses the state at its own version, not an earlier one', async () => {
    await create('one', { app: 'x' });
    await label('one', { app: 'y' });
    const after = await version();
    await label('one', { app: 'z' });
    await remove('one');
    expect(await shown(after)).toEqual([]);
  });

  it('sends the labels that matched, at the version at which they were removed', async () => {
    await create('one', { app: 'x', extra: 'e' });
    const after = await version();
    await label('one', { app: 'y' });
    const [event] = await watch(`labelSelector=app%3Dx&resourceVersion=${after}&timeoutSeconds=1`);
    expect(event).toMatchObject({ type: 'DELETED', object: { metadata: { labels: { app: 'x', extra: 'e' } } } });
    expect(event?.object.metadata.resourceVersion).toBe(await version());
  });

  it('shows an unnecessary deletion rather than none if labels changed more often than is recorded', async () => {
    await create('one', { app: 'x' });
    const after = await version();
    for (let count = 0; count < 60; count += 1) await label('one', { app: `y${count}` });
    clock.advance(10);
    expect(await shown(after)).toEqual(['DELETED one']);
    const later = await version();
    await label('one', { other: 'z' });
    expect(await shown(later)).toEqual([]);
  });

  it('works with large labels that change often, of which only the current ones are stored', async () => {
    const large = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`key-${index}`, 'v'.repeat(60)]));
    await create('one', { app: 'x', ...large });
    const after = await version();
    for (let count = 0; count < 20; count += 1) expect((await label('one', { app: `y${count}` })).code).toBe(200);
    expect(await shown(after)).toEqual(['DELETED one']);
    const { formerly = [] } = await itemOf('one');
    expect(formerly.length).toBeGreaterThan(1);
    expect(JSON.stringify(formerly)).not.toContain('key-');
  });

  it('reads no list', async () => {
    await create('one', { app: 'x' });
    const after = await version();
    const commands: string[] = [];
    before = (command) => {
      commands.push(command);
    };
    expect(await shown(after)).toEqual([]);
    expect(commands.filter((command) => command !== 'GetCommand')).toEqual([]);
  });
});

describe('a deletion while a watch with a selector begins', () => {
  /** The watch's first read of the counter returns before the deletion, and all later reads after it. */
  it.each(['resourceVersion=AFTER', ''])('is shown (%s)', async (query) => {
    await create('one', { app: 'x' });
    const after = await version();
    let reads = 0;
    before = async (command) => {
      if (command !== 'GetCommand' && command !== 'QueryCommand') return;
      reads += 1;
      if (reads !== 2) return;
      before = () => {};
      await remove('one');
    };
    const events = await watch(`labelSelector=app%3Dx&timeoutSeconds=1&${query.replace('AFTER', after)}`);
    const last = new Map(events.map(({ type, object }) => [object.metadata.name, type]));
    // A client that started with a list knows the object only if the list contained it.
    const known = query !== '' || events.some(({ type }) => type === 'ADDED');
    expect([...last]).toEqual(known ? [['one', 'DELETED']] : []);
  });
});

describe('an item that an earlier release wrote', () => {
  /** An item without its former state, as earlier releases wrote it. */
  const writtenBefore = async (name: string) => {
    await create(name, { app: 'y' });
    const { formerly: _, ...Item } = await itemOf(name);
    await database.client.send(new PutCommand({ TableName: table, Item }));
  };

  it('is shown as deleted if it is replaced', async () => {
    await writtenBefore('one');
    const after = await version();
    await remove('one');
    await create('one', { app: 'y' });
    expect(await shown(after)).toEqual(['DELETED one']);
  });

  it('may be shown as deleted unnecessarily until it is written again', async () => {
    await writtenBefore('one');
    const after = await version();
    await label('one', { other: 'z' });
    expect(await shown(after)).toEqual(['DELETED one']);
    const later = await version();
    await label('one', { other: 'zz' });
    expect(await shown(later)).toEqual([]);
  });
});
