import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConflictError } from '../../errors.ts';
import type { KubeObject, ResourceId } from '../../kube-api/object.ts';
import type { Storage } from '../../kube-api/storage/storage.ts';
import { seededNumbers, seededRandom } from '../../seeded-random.ts';
import { interceptClient, startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import { createDynamoStorage } from './dynamo-storage.ts';
import { createRawAesSealer } from './sealer.ts';

const WIDGETS: ResourceId = { group: 'test.windlass.dev', plural: 'widgets' };
type Widget = KubeObject & { spec: { count: number } };
const widget = (name: string): Widget => ({
  apiVersion: 'test.windlass.dev/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'a' },
  spec: { count: 0 },
});

let database: TestDatabase;
let clock: ReturnType<typeof testClock>;
let table: string;
let sent: string[];

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());
beforeEach(async () => {
  clock = testClock();
  table = await database.makeTable();
  sent = [];
});

const storageOver = (client: DynamoDBDocumentClient): Storage =>
  createDynamoStorage({
    client,
    table,
    clock,
    random: seededRandom(1),
    sealer: createRawAesSealer(new Uint8Array(32)),
  });
const counting = (): Storage =>
  storageOver(
    interceptClient(database.client, (name) => {
      sent.push(name);
    }),
  );
const turns = async (count: number): Promise<void> => {
  for (let left = Math.floor(count); left > 0; left -= 1) await clock.sleep(0);
};

describe('writers of one object', () => {
  it('lose no update with 64 concurrent writers', async () => {
    const storage = storageOver(database.client);
    const next = seededNumbers(1);
    await storage.create(WIDGETS, widget('one'), undefined);
    const versions: number[] = [];
    const increment = async (): Promise<void> => {
      await turns(next() * 400);
      const current = (await storage.get(WIDGETS, 'a', 'one')) as Widget;
      try {
        const changed = { ...current, spec: { count: current.spec.count + 1 } };
        versions.push(Number((await storage.update(WIDGETS, changed, undefined)).metadata.resourceVersion));
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
        await increment();
      }
    };
    await Promise.all(Array.from({ length: 64 }, increment));
    expect(await storage.get(WIDGETS, 'a', 'one')).toMatchObject({ spec: { count: 64 } });
    expect(new Set(versions).size).toBe(64);
  });

  it('create and remove a name concurrently without decreasing versions', async () => {
    const storage = storageOver(database.client);
    const next = seededNumbers(3);
    let newest = 0;
    const cycle = async (): Promise<void> => {
      await turns(next() * 60);
      try {
        const created = await storage.create(WIDGETS, widget('one'), undefined);
        const removed = await storage.remove(WIDGETS, created);
        // Only one writer at a time holds the name, so it sees the order in which versions were stored.
        expect(Number(created.metadata.resourceVersion)).toBeGreaterThan(newest);
        newest = Number(removed.metadata.resourceVersion);
      } catch (error) {
        if ((error as Error).name !== 'AlreadyExists') throw error;
      }
    };
    await Promise.all(Array.from({ length: 32 }, cycle));
    expect(newest).toBeGreaterThan(0);
  });
});

it('a creation that was overtaken by a creation and a removal of its name gets a version above both', async () => {
  const storage = storageOver(database.client);
  let removed: KubeObject | undefined;
  const overtaken = interceptClient(database.client, async (name) => {
    if (name !== 'PutCommand' || removed) return;
    removed = await storage.remove(WIDGETS, await storage.create(WIDGETS, widget('one'), undefined));
  });
  await storage.create(WIDGETS, widget('zero'), undefined);
  const created = await storageOver(overtaken).create(WIDGETS, widget('one'), undefined);
  expect(Number(created.metadata.resourceVersion)).toBeGreaterThan(Number(removed?.metadata.resourceVersion));
});

describe('a write', () => {
  it('takes two calls', async () => {
    const storage = counting();
    await storage.create(WIDGETS, widget('first'), undefined);
    sent = [];
    const created = await storage.create(WIDGETS, widget('one'), 'red');
    expect(sent).toEqual(['UpdateCommand', 'PutCommand']);
    sent = [];
    await storage.remove(WIDGETS, await storage.update(WIDGETS, created, 'red'));
    expect(sent).toEqual(['UpdateCommand', 'UpdateCommand', 'UpdateCommand', 'UpdateCommand']);
    sent = [];
    await storage.get(WIDGETS, 'a', 'one');
    expect(sent).toEqual(['GetCommand']);
  });

  it('succeeds if its answer was lost and the SDK sent it again', async () => {
    const duplicating = interceptClient(database.client, async (name, command) => {
      if (name === 'PutCommand') await database.client.send(command as never);
    });
    const created = await storageOver(duplicating).create(WIDGETS, widget('one'), undefined);
    expect(await storageOver(database.client).get(WIDGETS, 'a', 'one')).toEqual(created);
  });

  it('that was delayed is shown to watches that have already passed its version', async () => {
    const storage = storageOver(database.client);
    const { resourceVersion } = await storage.list(WIDGETS, {});
    const feed = storage.changes(WIDGETS, { after: resourceVersion });
    const heldUp = interceptClient(database.client, async (name) => {
      if (name !== 'PutCommand') return;
      clock.advance(60);
      // The watch stops waiting for the version and continues.
      await feed.poll();
      await storage.create(WIDGETS, widget('two'), undefined);
      expect((await feed.poll()).map(({ object }) => object.metadata.name)).toEqual(['two']);
    });
    await storage.create(WIDGETS, widget('zero'), undefined);
    const created = await storageOver(heldUp).create(WIDGETS, widget('one'), undefined);
    expect((await feed.poll()).map(({ object }) => object)).toEqual([created]);
  });

  it('that was delayed is shown to watches even if showing it is delayed as well', async () => {
    const storage = storageOver(database.client);
    const { resourceVersion } = await storage.list(WIDGETS, {});
    const feed = storage.changes(WIDGETS, { after: resourceVersion });
    const held = new Set(['create', 'show again']);
    const heldUp = interceptClient(database.client, async (name, { input }) => {
      const { UpdateExpression } = input as { UpdateExpression?: string };
      const what =
        name === 'PutCommand' ? 'create' : UpdateExpression?.startsWith('SET version = :version') && 'show again';
      if (!what || !held.delete(what)) return;
      clock.advance(60);
      await storage.create(WIDGETS, widget(`beside-${what.replace(' ', '-')}`), undefined);
      await feed.poll();
    });
    await storage.create(WIDGETS, widget('zero'), undefined);
    const created = await storageOver(heldUp).create(WIDGETS, widget('one'), undefined);
    expect([...held]).toEqual([]);
    expect((await feed.poll()).map(({ object }) => object)).toEqual([created]);
    expect(await storage.get(WIDGETS, 'a', 'one')).toEqual(created);
  });

  it('refuses a large object of any kind, and accepts one that compresses well', async () => {
    const storage = storageOver(database.client);
    const random = seededRandom(1).bytes(400 * 1024);
    const large = { ...widget('one'), text: Buffer.from(random).toString('base64') };
    await expect(storage.create(WIDGETS, large, undefined)).rejects.toMatchObject({ name: 'TooLarge' });
    const compressible = { ...widget('one'), text: 'x'.repeat(500_000) };
    await storage.create(WIDGETS, compressible, undefined);
    expect(await storage.get(WIDGETS, 'a', 'one')).toMatchObject({ text: compressible.text });
  });

  it('requires the version that it replaces', async () => {
    const storage = storageOver(database.client);
    await storage.create(WIDGETS, widget('one'), undefined);
    await expect(storage.update(WIDGETS, widget('one'), undefined)).rejects.toThrow('metadata.resourceVersion');
  });
});
