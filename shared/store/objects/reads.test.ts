import { afterAll, beforeAll, expect, it } from 'vitest';
import type { KubeObject } from '../../kube-api/object.ts';
import { makeReadBudget } from '../../kube-api/storage/read-budget.ts';
import { seededRandom } from '../../seeded-random.ts';
import { interceptClient, startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import { createDynamoStorage } from './dynamo-storage.ts';
import { createRawAesSealer } from './sealer.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

const THINGS = { group: 'example.dev', plural: 'things' };

const thing = (name: string): KubeObject => ({
  apiVersion: 'example.dev/v1',
  kind: 'Thing',
  metadata: { namespace: 'default', name },
});

/** Called before each request to the database. */
let before: (input: unknown) => void = () => {};

const storageWith = async (names: readonly string[]) => {
  const calls: string[] = [];
  const storage = createDynamoStorage({
    client: interceptClient(database.client, (name, { input }) => {
      calls.push(name);
      before(input);
    }),
    table: await database.makeTable(),
    clock: testClock(),
    random: seededRandom(1),
    sealer: createRawAesSealer(new Uint8Array(32)),
  });
  for (const name of names) await storage.create(THINGS, thing(name), undefined);
  calls.length = 0;
  return { storage, calls };
};

it('concurrent requests are read in one call, and each caller gets its own object or none', async () => {
  const { storage, calls } = await storageWith(['a', 'b']);

  const read = await Promise.all(['b', 'none', 'a', 'b'].map((name) => storage.get(THINGS, 'default', name)));

  expect(read.map((object) => object?.metadata.name)).toEqual(['b', undefined, 'a', 'b']);
  expect(read[0]).not.toBe(read[3]);
  expect(calls).toEqual(['BatchGetCommand']);
});

it('one object is read in one call, also for several callers', async () => {
  const { storage, calls } = await storageWith(['a']);

  const read = await Promise.all([storage.get(THINGS, 'default', 'a'), storage.get(THINGS, 'default', 'a')]);

  expect(read.map((object) => object?.metadata.name)).toEqual(['a', 'a']);
  expect(calls).toEqual(['GetCommand']);
});

it('objects are not cached after a read', async () => {
  const { storage } = await storageWith(['a']);
  const first = await storage.get(THINGS, 'default', 'a');
  if (!first) throw new Error('the object was not read');

  await storage.update(THINGS, { ...first, metadata: { ...first.metadata, labels: { changed: 'yes' } } }, undefined);

  expect((await storage.get(THINGS, 'default', 'a'))?.metadata.labels).toEqual({ changed: 'yes' });
});

it('a list without a watch reads no counter', async () => {
  const { storage, calls } = await storageWith(['a', 'b']);

  const { items } = await storage.list(THINGS, { namespace: 'default', unversioned: true });

  expect(items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
  expect(calls).toEqual(['QueryCommand']);
});

/** Storage with the tombstones of 120 objects, and one object. */
const storageWithTombstones = async () => {
  const { storage, calls } = await storageWith([]);
  await Promise.all(
    Array.from({ length: 120 }, async (_, index) => {
      await storage.remove(THINGS, await storage.create(THINGS, thing(`a-${index}`), undefined));
    }),
  );
  await storage.create(THINGS, thing('b'), undefined);
  calls.length = 0;
  return { storage, calls };
};

it('a list reads larger pages if tombstones fill the first one', async () => {
  const { storage, calls } = await storageWithTombstones();

  const { items } = await storage.list(THINGS, { namespace: 'default', limit: 1 });

  expect(items.map(({ metadata }) => metadata.name)).toEqual(['b']);
  expect(calls.filter((name) => name === 'QueryCommand')).toHaveLength(3);
});

it('a list reads no more than a page if there are no tombstones', async () => {
  const { storage } = await storageWith(['a', 'b', 'c']);
  const limits: unknown[] = [];
  before = (input) => limits.push((input as { Limit?: number }).Limit);

  const { items } = await storage.list(THINGS, { namespace: 'default', limit: 1 });

  expect(items.map(({ metadata }) => metadata.name)).toEqual(['a']);
  expect(limits.at(-1)).toBe(2);
});

it('the version of a list can be read without the list', async () => {
  const { storage, calls } = await storageWith(['a']);

  const version = await storage.listVersion(THINGS, { namespace: 'default' });

  expect(calls.filter((name) => name === 'QueryCommand')).toEqual([]);
  expect(version).toBe((await storage.list(THINGS, { namespace: 'default' })).resourceVersion);
});

/** An object that is small in the table and large in memory. */
const large = (namespace: string, name: string): KubeObject =>
  ({ ...thing(name), metadata: { namespace, name }, spec: Array.from({ length: 40_000 }, () => ({})) }) as KubeObject;

it('a list leaves out a namespace that exceeds its budget, and decodes no more of it', async () => {
  const { storage, calls } = await storageWith(['small']);
  for (const name of ['a', 'b', 'c']) await storage.create(THINGS, large('large', name), undefined);
  calls.length = 0;
  const budget = makeReadBudget({ namespace: 4_000_000, total: 10_000_000 });
  const list = async () => {
    const namespaces = ['default', 'large'];
    const { items } = await storage.list(THINGS, { namespaces, isEventual: true, unversioned: true, budget });
    return items.map(({ metadata }) => metadata.name);
  };

  expect(await list()).toEqual(['small']);
  expect(calls).toEqual(['QueryCommand', 'QueryCommand']);
  // Two of the three objects were decoded: each weighs 2.9 MB.
  expect(budget.exceeded().get('large')?.bytes).toBeLessThan(6_000_000);

  calls.length = 0;
  expect(await list()).toEqual(['small']);
  expect(calls).toEqual(['QueryCommand']);
});

it('a list within its budget leaves nothing out', async () => {
  const { storage } = await storageWith(['small']);
  await storage.create(THINGS, large('default', 'large'), undefined);
  const budget = makeReadBudget({ namespace: 4_000_000, total: 4_000_000 });
  const { items } = await storage.list(THINGS, { namespace: 'default', unversioned: true, budget });
  expect(items).toEqual((await storage.list(THINGS, { namespace: 'default', unversioned: true })).items);
});
