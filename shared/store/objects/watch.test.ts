import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject, ResourceId } from '../../kube-api/object.ts';
import type { ChangeFeed, Storage, StorageEvent } from '../../kube-api/storage/storage.ts';
import { seededNumbers, seededRandom } from '../../seeded-random.ts';
import { NAMESPACES } from '../keys.ts';
import { interceptClient, startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import { createDynamoStorage } from './dynamo-storage.ts';
import { createRawAesSealer } from './sealer.ts';

const WIDGETS: ResourceId = { group: 'test.windlass.dev', plural: 'widgets' };
const widget = (name: string, namespace = 'a'): KubeObject => ({
  apiVersion: 'test.windlass.dev/v1',
  kind: 'Widget',
  metadata: { name, namespace },
});
const versionOf = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion);
const keyOf = ({ metadata }: KubeObject): string => `${metadata.namespace}/${metadata.name}`;

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
  for (const name of ['a', 'b']) {
    await storage.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, undefined);
  }
});

const storageOver = (client: DynamoDBDocumentClient): Storage =>
  createDynamoStorage({
    client,
    table,
    clock,
    random: seededRandom(1),
    sealer: createRawAesSealer(new Uint8Array(32)),
  });
const namesOf = async (feed: ChangeFeed): Promise<string[]> =>
  (await feed.poll()).map(({ type, object }) => `${type} ${object.metadata.name}`);

describe('a list and the watch from it', () => {
  it('show nothing twice, even if writes were refused just before', async () => {
    const one = await storage.create(WIDGETS, widget('one'), undefined);
    await storage.update(WIDGETS, one, undefined);
    await expect(storage.update(WIDGETS, one, undefined)).rejects.toThrow('newer');
    await expect(storage.create(WIDGETS, widget('one'), undefined)).rejects.toThrow('exists');
    const { resourceVersion } = await storage.list(WIDGETS, { namespace: 'a' });
    expect(await namesOf(storage.changes(WIDGETS, { namespace: 'a', after: resourceVersion }))).toEqual([]);
  });

  /** A writer that has been assigned its version, and waits for `release` before it writes. */
  const heldUpWriter = async (name: string) => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let taken = () => {};
    const hasTaken = new Promise<void>((resolve) => {
      taken = resolve;
    });
    const slow = storageOver(
      interceptClient(database.client, async (name) => {
        if (name !== 'PutCommand') return;
        taken();
        await released;
      }),
    );
    const written = slow.create(WIDGETS, widget(name), undefined);
    await hasTaken;
    return { release, written };
  };

  it('miss no write that got its version before the list and was stored after it', async () => {
    await storage.create(WIDGETS, widget('first'), undefined);
    const { release, written } = await heldUpWriter('late');
    await storage.create(WIDGETS, widget('second'), undefined);
    const list = await storage.list(WIDGETS, {});
    const feed = storage.changes(WIDGETS, { after: list.resourceVersion });
    await feed.poll();
    release();
    await written;
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual(['first', 'second']);
    expect(await namesOf(feed)).toContain('ADDED late');
  });

  it('send no change before earlier ones, so that a watch can resume from any version', async () => {
    await storage.create(WIDGETS, widget('first'), undefined);
    const { resourceVersion: after } = await storage.list(WIDGETS, {});
    const feed = storage.changes(WIDGETS, { after });
    const { release, written } = await heldUpWriter('late');
    await storage.create(WIDGETS, widget('second'), undefined);
    expect(await namesOf(feed)).toEqual([]);
    release();
    await written;
    expect(await namesOf(feed)).toEqual(['ADDED late', 'ADDED second']);
  });

  it('do not wait for writes that were refused', async () => {
    const one = await storage.create(WIDGETS, widget('one'), undefined);
    const newest = await storage.update(WIDGETS, one, undefined);
    const feed = storage.changes(WIDGETS, { after: newest.metadata.resourceVersion ?? '' });
    await expect(storage.update(WIDGETS, one, undefined)).rejects.toThrow('newer');
    await storage.create(WIDGETS, widget('two'), undefined);
    expect(await namesOf(feed)).toEqual(['ADDED two']);
    const list = await storage.list(WIDGETS, {});
    expect(await storage.changes(WIDGETS, { after: list.resourceVersion }).poll()).toEqual([]);
  });

  it('do not wait for other namespaces, and not forever for a writer that died', async () => {
    await storage.create(WIDGETS, widget('first', 'b'), undefined);
    const all = storage.changes(WIDGETS, { after: (await storage.list(WIDGETS, {})).resourceVersion });
    const ofB = storage.changes(WIDGETS, { namespace: 'b', after: all.resourceVersion });
    await heldUpWriter('never');
    await storage.create(WIDGETS, widget('second', 'b'), undefined);
    expect(await namesOf(ofB)).toEqual(['ADDED second']);
    expect(await namesOf(all)).toEqual([]);
    clock.advance(6);
    expect(await namesOf(all)).toEqual(['ADDED second']);
  });
});

describe('a watch', () => {
  it('costs one call while nothing changes, and two after a change', async () => {
    const sent: string[] = [];
    const counted = storageOver(
      interceptClient(database.client, (name) => {
        sent.push(name);
      }),
    );
    const first = await storage.create(WIDGETS, widget('one'), undefined);
    const feed = counted.changes(WIDGETS, { after: first.metadata.resourceVersion ?? '' });
    await feed.poll();
    expect(sent).toEqual(['GetCommand']);
    await storage.create(WIDGETS, widget('two'), undefined);
    await feed.poll();
    expect(sent).toEqual(['GetCommand', 'GetCommand', 'BatchGetCommand']);
  });

  it('that was interrupted catches up from the index, however much has changed', async () => {
    const first = await storage.create(WIDGETS, widget('first'), undefined);
    const gone = await storage.create(WIDGETS, widget('gone'), undefined);
    await Promise.all(Array.from({ length: 150 }, (_, i) => storage.create(WIDGETS, widget(`w-${i}`), undefined)));
    await storage.remove(WIDGETS, gone);
    const feed = storage.changes(WIDGETS, { after: gone.metadata.resourceVersion ?? '' });
    const events = await feed.poll();
    expect(events).toHaveLength(151);
    expect(events.at(-1)?.type).toBe('DELETED');
    expect(events.map(({ object }) => versionOf(object))).toEqual(
      events.map(({ object }) => versionOf(object)).sort((a, b) => a - b),
    );
    expect(versionOf(first)).toBeLessThan(versionOf(gone));
  });

  it('of a quiet kind never expires, but one that missed a deletion an hour ago does', async () => {
    const one = await storage.create(WIDGETS, widget('one'), undefined);
    const old = storage.changes(WIDGETS, { after: one.metadata.resourceVersion ?? '' });
    const removed = await storage.remove(WIDGETS, one);
    const current = storage.changes(WIDGETS, { after: removed.metadata.resourceVersion ?? '' });
    clock.advance(50 * 60);
    expect(await namesOf(storage.changes(WIDGETS, { after: one.metadata.resourceVersion ?? '' }))).toEqual([
      'DELETED one',
    ]);
    clock.advance(11 * 60);
    await expect(old.poll()).rejects.toMatchObject({ name: 'Expired' });
    expect(await current.poll()).toEqual([]);
    await storage.create(WIDGETS, widget('two'), undefined);
    expect(await namesOf(current)).toEqual(['ADDED two']);
  });

  it.each(['99', 'nonsense', '-1', ''])('from version %j, which was never issued, has to list again', async (after) => {
    await expect(storage.changes(WIDGETS, { after }).poll()).rejects.toMatchObject({ name: 'Expired' });
  });

  it('remains possible however long and how often a kind is written', async () => {
    let one = await storage.create(WIDGETS, widget('one'), undefined);
    for (let minutes = 0; minutes < 4 * 60; minutes += 7) {
      clock.advance(7 * 60);
      const before = one.metadata.resourceVersion ?? '';
      one = await storage.update(WIDGETS, one, undefined);
      expect(await namesOf(storage.changes(WIDGETS, { after: before }))).toEqual(['MODIFIED one']);
    }
  });
});

describe('a watcher that reconnects at random', () => {
  /** Tracks what a client knows: the objects of a list, updated by events. */
  const watcher = (namespace: string | undefined, next: () => number) => {
    let known = new Map<string, string | undefined>();
    let feed: ChangeFeed | undefined;
    let lastEvent = '';
    const relist = async () => {
      const list = await storage.list(WIDGETS, { namespace, limit: next() < 0.5 ? undefined : 5 });
      const items = [...list.items];
      for (let token = list.continue; token; ) {
        const page = await storage.list(WIDGETS, { namespace, limit: 5, continue: token });
        items.push(...page.items);
        token = page.continue;
      }
      known = new Map(items.map((item) => [keyOf(item), item.metadata.resourceVersion]));
      lastEvent = list.resourceVersion;
      feed = storage.changes(WIDGETS, { namespace, after: list.resourceVersion });
    };
    const reconnect = (active: ChangeFeed) => {
      // Clients resume from a bookmark or from the last version that they received.
      const after = next() < 0.5 ? active.resourceVersion : lastEvent;
      feed = storage.changes(WIDGETS, { namespace, after });
    };
    const apply = ({ type, object }: StorageEvent) => {
      lastEvent = object.metadata.resourceVersion ?? lastEvent;
      if (type === 'DELETED') known.delete(keyOf(object));
      else known.set(keyOf(object), object.metadata.resourceVersion);
    };
    const step = async () => {
      if (!feed || next() < 0.05) return relist();
      if (next() < 0.4) reconnect(feed);
      for (const event of await feed.poll()) apply(event);
    };
    return { step, known: () => Object.fromEntries([...known].sort()) };
  };

  /**
   * Writes at random. Some writes stall between assigning the version and storing the object, and some writers die
   * there.
   */
  const writer = (next: () => number) => {
    const faulty = storageOver(
      interceptClient(database.client, async (name, { input }) => {
        const isObjectWrite = /^(Put|Update)Command$/.test(name) && !JSON.stringify(input).includes('"counter|');
        if (!isObjectWrite) return;
        if (next() < 0.1) for (let turns = next() * 200; turns > 0; turns -= 1) await clock.sleep(0);
        if (next() < 0.05) throw new Error('the writer died');
      }),
    );
    const change = async (name: string, namespace: string) => {
      const current = await faulty.get(WIDGETS, namespace, name);
      if (!current) await faulty.create(WIDGETS, widget(name, namespace), undefined);
      else if (next() < 0.3) await faulty.remove(WIDGETS, current);
      else await faulty.update(WIDGETS, current, undefined);
    };
    return async () => {
      clock.advance(next() * 0.4);
      const name = `w-${Math.floor(next() * 8)}`;
      try {
        await change(name, next() < 0.7 ? 'a' : 'b');
      } catch (error) {
        if (!/died|exists|newer|not found/.test((error as Error).message)) throw error;
      }
    };
  };

  it('ends with the same state as a list', async () => {
    const next = seededNumbers(1);
    const watchers = [watcher(undefined, next), watcher(undefined, next), watcher('a', next), watcher('b', next)];
    let writing = true;
    const writes = Array.from({ length: 6 }, async () => {
      const write = writer(next);
      for (let count = 0; count < 25; count += 1) await write();
    });
    const watches = watchers.map(async ({ step }) => {
      while (writing) await step();
    });
    await Promise.all(writes);
    writing = false;
    await Promise.all(watches);
    clock.advance(10);
    for (const { step } of watchers) for (let count = 0; count < 3; count += 1) await step();
    for (const [index, namespace] of [undefined, undefined, 'a', 'b'].entries()) {
      const { items } = await storage.list(WIDGETS, { namespace });
      const shown = items.map((item) => [keyOf(item), item.metadata.resourceVersion]).sort();
      expect(watchers[index]?.known()).toEqual(Object.fromEntries(shown));
    }
  });
});
