/** Tests polls of many or large objects, with storage in the table. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject, ResourceId } from '../../kube-api/object.ts';
import type { ChangeFeed, Storage, StorageEvent } from '../../kube-api/storage/storage.ts';
import { seededRandom } from '../../seeded-random.ts';
import { interceptClient, startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import { createDynamoStorage } from './dynamo-storage.ts';
import { createRawAesSealer } from './sealer.ts';

const WIDGETS: ResourceId = { group: 'example.dev', plural: 'widgets' };

let database: TestDatabase;
let storage: Storage;
let clock: ReturnType<typeof testClock>;
/** The number of reads of the counter: one for each time that a feed looks for changes. */
let counts: number;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());
beforeEach(async () => {
  const table = await database.makeTable();
  const client = interceptClient(database.client, (name) => {
    if (name === 'GetCommand') counts += 1;
  });
  const sealer = createRawAesSealer(new Uint8Array(32));
  clock = testClock();
  storage = createDynamoStorage({ client, table, clock, random: seededRandom(1), sealer });
});

const widget = (name: string, text: string, labels = {}): KubeObject & { text: string } => ({
  apiVersion: 'example.dev/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'a', labels },
  text,
});
const large = (name: string, labels = {}) => widget(name, 'x'.repeat(800_000), labels);
/** Incompressible, so that it is large in the table. */
const dense = (name: string) =>
  widget(
    name,
    Array.from({ length: 3_000 }, (_, part) => createHash('sha512').update(`${name}/${part}`).digest('base64')).join(
      '',
    ),
  );
const create = (object: KubeObject) => storage.create(WIDGETS, object, undefined);
const feedAfter = (version: string | undefined): ChangeFeed => {
  counts = 0;
  return storage.changes(WIDGETS, { namespace: 'a', after: version ?? '' });
};
const shown = ({ type, object }: StorageEvent): string => `${type} ${object.metadata.name}`;

/** What each poll returns until nothing is left, and the version from which a client could resume. */
const pollAll = async (feed: ChangeFeed): Promise<{ events: string[]; from: string }[]> => {
  const polls: { events: string[]; from: string }[] = [];
  do polls.push({ events: (await feed.poll()).map(shown), from: feed.resourceVersion });
  while (feed.isBehind);
  return polls;
};

describe('a poll', () => {
  it('returns large objects one by one, and small ones together', async () => {
    const first = await create(widget('first', ''));
    for (const name of ['one', 'two']) await create(large(name));
    for (const name of ['three', 'four']) await create(widget(name, ''));
    const polls = await pollAll(feedAfter(first.metadata.resourceVersion));
    expect(polls.map(({ events }) => events)).toEqual([['ADDED one'], ['ADDED two', 'ADDED three', 'ADDED four']]);
    expect(counts).toBe(1);
  });

  it('resumes without a gap from any position, and shows changes relative to the start of the feed', async () => {
    const first = await create(widget('first', ''));
    const one = await create(large('one'));
    for (const name of ['two', 'three']) await create(large(name));
    await storage.update(WIDGETS, one, undefined);
    const polls = await pollAll(feedAfter(first.metadata.resourceVersion));
    expect(polls.map(({ events }) => events)).toEqual([['ADDED two'], ['ADDED three'], ['ADDED one']]);
    const rest = await pollAll(feedAfter(polls[0]?.from));
    expect(rest.flatMap(({ events }) => events)).toEqual(['ADDED three', expect.stringMatching(/ one$/)]);
  });

  it('reads as many large objects as fit, and continues immediately', async () => {
    const first = await create(widget('first', ''));
    await Promise.all(Array.from({ length: 60 }, (_, index) => create(dense(`w-${index}`))));
    const polls = await pollAll(feedAfter(first.metadata.resourceVersion));
    expect(polls.flatMap(({ events }) => events)).toHaveLength(60);
    expect(new Set(polls.flatMap(({ events }) => events)).size).toBe(60);
    expect(counts).toBe(3);
  });

  it('reports states from before the changes that it has already returned', async () => {
    const labelled = (app: string): KubeObject => widget('one', '', { app });
    const formerly = (app: string) => ({ parts: { '.metadata.labels': { app } } });
    const relabel = ({ metadata: { resourceVersion } }: KubeObject, from: string, to: string) => {
      const next = { ...labelled(to), metadata: { ...labelled(to).metadata, resourceVersion } };
      return storage.update(WIDGETS, next, undefined, formerly(from));
    };
    const one = await create(labelled('x'));
    const changed = await relabel(one, 'x', 'y');
    await Promise.all(Array.from({ length: 30 }, (_, index) => create(dense(`w-${index}`))));
    await relabel(changed, 'y', 'z');
    clock.advance(10);
    const feed = feedAfter(one.metadata.resourceVersion);
    const events: StorageEvent[] = [];
    do events.push(...(await feed.poll()));
    while (feed.isBehind);
    expect(counts).toBeGreaterThan(1);
    expect(events.at(-1)?.previous?.map(({ metadata }) => metadata.labels?.app)).toEqual(['y', 'x']);
  });

  it('reads many small objects in one call', async () => {
    const first = await create(widget('first', ''));
    await Promise.all(Array.from({ length: 60 }, (_, index) => create(widget(`w-${index}`, ''))));
    const feed = feedAfter(first.metadata.resourceVersion);
    expect(await feed.poll()).toHaveLength(60);
    expect(feed.isBehind).toBe(false);
    expect(counts).toBe(1);
  });

  it('leaves out the previous states of a large object if there are many', async () => {
    let one = await create(large('one', { count: '0' }));
    const after = one.metadata.resourceVersion;
    const relabel = async (count: number) => {
      const former = { parts: { '.metadata.labels': { count: String(count - 1) } } };
      const next = { ...one, metadata: { ...one.metadata, labels: { count: String(count) } } };
      one = await storage.update(WIDGETS, next, undefined, former);
    };
    await relabel(1);
    expect(await feedAfter(after).poll()).toMatchObject([{ previous: [{ metadata: { labels: { count: '0' } } }] }]);
    for (const count of [2, 3, 4]) await relabel(count);
    const [event] = await feedAfter(after).poll();
    expect(event).toMatchObject({ type: 'MODIFIED', uncertain: true });
    expect(event?.previous).toBeUndefined();
  });
});
