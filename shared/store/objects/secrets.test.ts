import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject, ResourceId } from '../../kube-api/object.ts';
import type { Storage } from '../../kube-api/storage/storage.ts';
import { seededRandom } from '../../seeded-random.ts';
import { startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import { createDynamoStorage } from './dynamo-storage.ts';
import { createRawAesSealer } from './sealer.ts';

const SECRETS: ResourceId = { group: '', plural: 'secrets' };
const CONFIG_MAPS: ResourceId = { group: '', plural: 'configmaps' };
const password = Buffer.from('correct horse battery staple').toString('base64');
const secret = (name = 'one') => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'a', labels: { visible: 'label' } },
  type: 'Opaque',
  data: { password },
});

let database: TestDatabase;
let storage: Storage;
let table: string;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());
beforeEach(async () => {
  table = await database.makeTable();
  storage = createDynamoStorage({
    client: database.client,
    table,
    clock: testClock(),
    random: seededRandom(1),
    sealer: createRawAesSealer(seededRandom(2).bytes(32)),
  });
});

/** The whole table with binary values as text, so that no plaintext can hide in them. */
const wholeTable = async (): Promise<string> => {
  const { Items = [] } = await database.client.send(new ScanCommand({ TableName: table }));
  const latin = (_: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;
  return Items.map((item) =>
    JSON.stringify(Object.fromEntries(Object.entries(item).map(([key, value]) => [key, latin(key, value)]))),
  ).join('\n');
};

describe('a Secret', () => {
  it('is returned as it was written, by every kind of read', async () => {
    const created = await storage.create(SECRETS, secret(), 'demo');
    expect(created).toMatchObject(secret());
    expect(await storage.get(SECRETS, 'a', 'one')).toEqual(created);
    expect((await storage.list(SECRETS, { namespace: 'a' })).items).toEqual([created]);
    expect((await storage.list(SECRETS, { namespace: 'a', cluster: 'demo' })).items).toEqual([created]);
    const feed = storage.changes(SECRETS, { after: '1' });
    expect(await feed.poll()).toEqual([{ type: 'ADDED', object: created }]);
  });

  it('is stored with readable metadata, but without readable data', async () => {
    const created = await storage.create(SECRETS, secret(), undefined);
    await storage.update(SECRETS, { ...created, data: { other: password } } as KubeObject, undefined);
    const stored = await wholeTable();
    expect(stored).toContain('visible');
    for (const hidden of [password, 'correct horse', '"password"', '"other"']) expect(stored).not.toContain(hidden);
  });

  it('leaves none of its data behind when it is removed, not even sealed', async () => {
    await storage.remove(SECRETS, await storage.create(SECRETS, secret(), undefined));
    const { Items = [] } = await database.client.send(new ScanCommand({ TableName: table }));
    expect(Items.find(({ sk }) => sk === 'one')).toMatchObject({ deletedAt: expect.any(Number) });
    expect(Items.some((item) => 'sealed' in item)).toBe(false);
    expect(await wholeTable()).not.toContain(password);
  });

  it('can lose its data, and can be written without data', async () => {
    const created = await storage.create(SECRETS, secret(), undefined);
    const emptied = await storage.update(SECRETS, { ...created, data: undefined } as KubeObject, undefined);
    expect(await storage.get(SECRETS, 'a', 'one')).not.toHaveProperty('data');
    expect((await storage.update(SECRETS, emptied, undefined)).metadata.name).toBe('one');
  });

  it('cannot be opened under the name of another', async () => {
    await storage.create(SECRETS, secret('one'), undefined);
    await storage.create(SECRETS, secret('two'), undefined);
    const { Items = [] } = await database.client.send(new ScanCommand({ TableName: table }));
    const [one, two] = ['one', 'two'].map((name) => Items.find(({ sk }) => sk === name));
    await database.client.send(new PutCommand({ TableName: table, Item: { ...two, sealed: one?.sealed } }));
    await expect(storage.get(SECRETS, 'a', 'two')).rejects.toThrow('another name');
  });
});

it('other kinds are stored without encryption', async () => {
  await storage.create(CONFIG_MAPS, { ...secret(), kind: 'ConfigMap' }, undefined);
  expect(await wholeTable()).toContain('password');
});
