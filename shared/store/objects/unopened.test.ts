import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SealError } from '../../errors.ts';
import { kinds, type Namespace, type Secret } from '../../kinds/index.ts';
import { createMemoryOwnerIndex } from '../../kube-api/garbage/owner-index.ts';
import { createRegistry } from '../../kube-api/registry/create-registry.ts';
import { createObjectClient } from '../../kube-api/storage/object-client.ts';
import { seededRandom } from '../../seeded-random.ts';
import { startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import { createDynamoStorage } from './dynamo-storage.ts';
import { createRawAesSealer, type Sealer } from './sealer.ts';

/** Secrets in a table whose key was lost: older ones are encrypted with the lost key, newer ones with another. */
const NAMESPACE = 'default';
const BUDGET = { objects: 100, milliseconds: 60_000 };

let database: TestDatabase;
let table: string;
let formerly: ReturnType<typeof open>;
let now: ReturnType<typeof open>;
let clock: ReturnType<typeof testClock>;
let index: ReturnType<typeof createMemoryOwnerIndex>;

const open = (sealer: Sealer) => {
  const access = { client: database.client, table, clock, random: seededRandom(1) };
  const storage = createDynamoStorage({ ...access, sealer });
  const resources = [kinds.namespace, kinds.secret, kinds.configMap];
  const registry = createRegistry({ resources, storage, clock, random: access.random, ownership: { index } });
  return { registry, storage, objects: createObjectClient(registry) };
};

const secret = (name: string, metadata: object = {}) =>
  ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: NAMESPACE, ...metadata },
    data: { a: 'YQ==' },
  }) as Secret;

const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }) as Namespace;

const key = (name: string) => ({ namespace: NAMESPACE, name });

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());
beforeEach(async () => {
  table = await database.makeTable();
  clock = testClock();
  index = createMemoryOwnerIndex();
  formerly = open(createRawAesSealer(seededRandom(2).bytes(32)));
  now = open(createRawAesSealer(seededRandom(3).bytes(32)));
  await formerly.objects.ensure(kinds.namespace, namespace(NAMESPACE));
});

describe('a Secret that cannot be opened', () => {
  beforeEach(async () => {
    await formerly.objects.ensure(kinds.secret, secret('old'));
    await now.objects.ensure(kinds.secret, secret('new'));
  });

  it('is named in the error of each read, and others can still be read', async () => {
    const refusal = /^the data of Secret default\/old cannot be opened: /;
    await expect(now.objects.get(kinds.secret, key('old'))).rejects.toThrow(refusal);
    await expect(now.objects.list(kinds.secret, NAMESPACE)).rejects.toThrow(refusal);
    await expect(now.objects.get(kinds.secret, key('old'))).rejects.toBeInstanceOf(SealError);
    expect(await now.objects.get(kinds.secret, key('new'))).toMatchObject({ data: { a: 'YQ==' } });
  });

  it('can be deleted', async () => {
    await now.objects.delete(kinds.secret, key('old'));
    expect((await now.objects.list(kinds.secret, NAMESPACE)).map(({ metadata }) => metadata.name)).toEqual(['new']);
  });

  it('is deleted with its namespace', async () => {
    await formerly.objects.ensure(kinds.namespace, namespace('team'));
    await formerly.objects.ensure(kinds.secret, { ...secret('old'), metadata: { name: 'old', namespace: 'team' } });
    await now.registry.delete(kinds.namespace, { name: 'team', namespace: '' });
    expect(await formerly.objects.list(kinds.secret, 'team')).toEqual([]);
  });

  it('keeps its data, and cannot be patched', async () => {
    const label = (current: Secret): Secret => ({ ...current, metadata: { ...current.metadata, labels: { a: 'b' } } });
    await expect(now.objects.mutate(kinds.secret, key('old'), label)).rejects.toThrow('cannot be opened');
    expect(await formerly.objects.get(kinds.secret, key('old'))).toMatchObject({ data: { a: 'YQ==' } });
  });

  it('keeps its data while finalizers delay its deletion', async () => {
    await formerly.objects.ensure(kinds.secret, secret('held', { finalizers: ['example.com/held'] }));
    await now.objects.delete(kinds.secret, key('held'));
    const held = await formerly.objects.get(kinds.secret, key('held'));
    expect(held).toMatchObject({ data: { a: 'YQ==' }, metadata: { deletionTimestamp: expect.any(String) } });
  });
});

describe('garbage that cannot be opened', () => {
  const owned = async (propagationPolicy: 'Background' | 'Orphan') => {
    const metadata = { name: 'owner', namespace: NAMESPACE };
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {} };
    const { object } = await formerly.objects.ensure(kinds.configMap, owner as never);
    const { uid = '' } = object.metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    await formerly.objects.ensure(kinds.secret, secret('old', { ownerReferences }));
    await now.registry.delete(kinds.configMap, key('owner'), { propagationPolicy });
    return (await now.registry.collectGarbage(BUDGET)).failures;
  };

  it('is deleted with its owner', async () => {
    expect(await owned('Background')).toEqual([]);
    expect(await formerly.objects.list(kinds.secret, NAMESPACE)).toEqual([]);
  });

  it('loses its owner reference and keeps its data if it is orphaned', async () => {
    expect(await owned('Orphan')).toEqual([]);
    const orphan = await formerly.objects.get(kinds.secret, key('old'));
    expect(orphan).toMatchObject({ data: { a: 'YQ==' } });
    expect(orphan?.metadata.ownerReferences ?? []).toEqual([]);
  });
});
