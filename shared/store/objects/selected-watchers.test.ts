/** Tests that watches with a selector miss nothing when they end and resume while labels and objects change. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { KubeObject } from '../../kube-api/object.ts';
import { formerOf } from '../../kube-api/selectors/selected-parts.ts';
import { createVisibility } from '../../kube-api/server/watch-visibility.ts';
import type { ChangeFeed, Storage } from '../../kube-api/storage/storage.ts';
import { GIZMOS, gizmo } from '../../kube-api/test-kinds.ts';
import { seededNumbers, seededRandom } from '../../seeded-random.ts';
import { interceptClient, startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import { createDynamoStorage } from './dynamo-storage.ts';
import { createRawAesSealer } from './sealer.ts';

const NAMES = ['a', 'b', 'c', 'd'];
const WRITERS = 5;
const WRITES = 20;
const LABELS = ['x', 'y', 'z'];
const SELECTION = {
  match: ({ metadata }: KubeObject) => metadata.labels?.app === 'x',
  everything: false,
  changing: true,
};

let database: TestDatabase;
let clock: ReturnType<typeof testClock>;
let table: string;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());
beforeEach(async () => {
  clock = testClock();
  table = await database.makeTable();
});

const storageOver = (client: DynamoDBDocumentClient): Storage => {
  const sealer = createRawAesSealer(new Uint8Array(32));
  return createDynamoStorage({ client, table, clock, random: seededRandom(1), sealer });
};

const turns = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left -= 1) await clock.sleep(0);
};

const matching = async (storage: Storage) => {
  const { items, resourceVersion } = await storage.list(GIZMOS, { namespace: 'default' });
  const known = items.filter(SELECTION.match).map((item) => [item.metadata.name, item.metadata.uid] as const);
  return { known: new Map(known), resourceVersion };
};

/** Writes at random. Some writes are delayed between the assignment of the version and the storing of the object. */
const write = async (next: () => number, uid: () => string): Promise<void> => {
  const storage = storageOver(
    interceptClient(database.client, async (name, { input }) => {
      const isObjectWrite = /^(Put|Update)Command$/.test(name) && !JSON.stringify(input).includes('"counter|');
      if (isObjectWrite && next() < 0.1) await turns(next() * 100);
    }),
  );
  const labelled = (object: KubeObject): KubeObject => {
    const labels = { app: LABELS[Math.floor(next() * LABELS.length)] ?? '' };
    return { ...object, metadata: { ...object.metadata, labels } };
  };
  const change = async (name: string): Promise<unknown> => {
    const current = await storage.get(GIZMOS, 'default', name);
    if (!current) {
      const created = labelled(gizmo(name, {}, { uid: uid() }));
      return storage.create(GIZMOS, created, undefined, (old) => formerOf(GIZMOS, old, created));
    }
    if (next() < 0.5) return storage.remove(GIZMOS, current);
    const changed = labelled(current);
    return storage.update(GIZMOS, changed, undefined, formerOf(GIZMOS, current, changed));
  };
  for (let count = 0; count < WRITES; count += 1) {
    clock.advance(next() * 0.4);
    await change(NAMES[Math.floor(next() * NAMES.length)] ?? '').catch((error: Error) => {
      if (!/exists|newer|not found/.test(error.message)) throw error;
    });
  }
};

/** A client that lists once, and then watches and reconnects at random. */
const watcher = async (storage: Storage, next: () => number) => {
  const { known, resourceVersion } = await matching(storage);
  let last = resourceVersion;
  let feed: ChangeFeed = storage.changes(GIZMOS, { namespace: 'default', after: last });
  let visible = createVisibility(SELECTION, undefined);
  const resume = (after: string): void => {
    feed = storage.changes(GIZMOS, { namespace: 'default', after });
    visible = createVisibility(SELECTION, undefined);
  };
  const step = async (): Promise<void> => {
    if (next() < 0.5) resume(next() < 0.5 ? feed.resourceVersion : last);
    for (const event of (await feed.poll()).flatMap((each) => visible(each) ?? [])) {
      const { name, uid, resourceVersion: version = '' } = event.object.metadata;
      last = version;
      if (event.type === 'DELETED') known.delete(name);
      else known.set(name, uid);
    }
    await turns(next() * 40);
  };
  return { step, known };
};

it.each([4, 17, 26])('watches with a selector end with the objects of a list (seed %i)', async (seed) => {
  const next = seededNumbers(seed);
  const storage = storageOver(database.client);
  let count = 0;
  const uid = (): string => `uid-${++count}`;
  const watchers = await Promise.all([1, 2, 3].map(() => watcher(storage, next)));
  let writing = true;
  const watching = watchers.map(async ({ step }) => {
    while (writing) await step();
  });
  await Promise.all(Array.from({ length: WRITERS }, () => write(next, uid)));
  writing = false;
  await Promise.all(watching);
  clock.advance(10);
  for (const { step } of watchers) for (let polls = 0; polls < 3; polls += 1) await step();
  const { known } = await matching(storage);
  for (const each of watchers) expect([...each.known].sort()).toEqual([...known].sort());
});

it('a watch that resumes misses no change that was overwritten while an earlier write was pending', async () => {
  const storage = storageOver(database.client);
  const labelled = (object: KubeObject, app: string): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, labels: { app } },
  });
  const relabel = (object: KubeObject, app: string) => {
    const changed = labelled(object, app);
    return storage.update(GIZMOS, changed, undefined, formerOf(GIZMOS, object, changed));
  };
  const one = await storage.create(GIZMOS, labelled(gizmo('one', {}, { uid: 'one' }), 'x'), undefined);
  const after = one.metadata.resourceVersion ?? '';
  const changed = await relabel(one, 'y');
  let position = '';
  const pending = interceptClient(database.client, async (name) => {
    if (name !== 'PutCommand') return;
    await relabel(changed, 'z');
    const feed = storage.changes(GIZMOS, { after });
    expect(await feed.poll()).toEqual([]);
    position = feed.resourceVersion;
  });
  await storageOver(pending).create(GIZMOS, gizmo('two', {}, { uid: 'two' }), undefined);
  const events = await storage.changes(GIZMOS, { after: position }).poll();
  const visible = createVisibility(SELECTION, undefined);
  const shown = events.flatMap((event) => visible(event) ?? []);
  expect(shown.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual(['DELETED one']);
});
