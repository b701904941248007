import { beforeEach, describe, expect, it } from 'vitest';
import { createRegistry } from '../registry/create-registry.ts';
import { GIZMOS, type Gizmo, gizmo, TEST_KINDS } from '../test-kinds.ts';
import type { ObjectClient } from './client.ts';
import { createMemoryStorage } from './memory-storage.ts';
import { createObjectClient } from './object-client.ts';
import { PERSISTENT_ATTEMPTS } from './retry.ts';
import type { Storage } from './storage.ts';

const key = { namespace: 'default', name: 'one' };

/** A storage that counts its calls by name. */
const counting = (storage: Storage): { storage: Storage; calls: string[] } => {
  const calls: string[] = [];
  const counted = new Proxy(storage, {
    get: (target, name: keyof Storage) => {
      if (target[name]) calls.push(name);
      return target[name];
    },
  });
  return { storage: counted, calls };
};

let calls: string[];
let storage: Storage;
let client: ObjectClient;

beforeEach(() => {
  let count = 0;
  ({ storage, calls } = counting(createMemoryStorage()));
  const clock = { now: () => new Date('2026-01-02T03:04:05Z'), sleep: async () => {} };
  const random = { bytes: (length: number) => new Uint8Array(length), uuid: () => `uid-${++count}` };
  client = createObjectClient(createRegistry({ resources: TEST_KINDS, storage, clock, random }));
});

const resize = (size: number) => (current: Gizmo) => ({ ...current, spec: { ...current.spec, size } });

describe('the object client', () => {
  it('creates an object once, with defaults, by a read and a write, and then only reads it', async () => {
    const first = await client.ensure(GIZMOS, gizmo('one'));
    expect(first).toMatchObject({
      created: true,
      object: { spec: { size: 1, mode: 'Slow' }, metadata: { generation: 1 } },
    });
    expect(calls).toEqual(['get', 'create']);
    expect(await client.ensure(GIZMOS, gizmo('one', { size: 5 }))).toEqual({ created: false, object: first.object });
    expect(calls).toEqual(['get', 'create', 'get']);
  });

  it('creates an object that is expected to be new without a read, and finds an existing one', async () => {
    const options = { isExpectedNew: true };
    const first = await client.ensure(GIZMOS, gizmo('one'), options);
    expect(first.created).toBe(true);
    expect(calls).toEqual(['create']);
    expect(await client.ensure(GIZMOS, gizmo('one', { size: 5 }), options)).toEqual({
      created: false,
      object: first.object,
    });
  });

  it('is the only manager of what it writes, with a separate entry for status', async () => {
    await client.ensure(GIZMOS, gizmo('one'));
    const changed = await client.mutate(GIZMOS, key, (current) => ({ ...resize(3)(current), status: { phase: 'Up' } }));
    expect(changed?.metadata.managedFields).toMatchObject([
      { manager: 'windlass', operation: 'Update', fieldsV1: { 'f:spec': { '.': {}, 'f:size': {}, 'f:version': {} } } },
      { manager: 'windlass', subresource: 'status', fieldsV1: { 'f:status': { '.': {}, 'f:phase': {} } } },
    ]);
  });

  it('starts with the object that was just read, and reads again only if another writer was faster', async () => {
    const { object: first } = await client.ensure(GIZMOS, gizmo('one'));
    calls.length = 0;
    const second = await client.mutate(GIZMOS, key, resize(3), { from: first });
    expect(calls).toEqual(['update']);
    expect(await client.mutate(GIZMOS, key, resize(3), { from: second })).toBe(second);
    expect(calls).toEqual(['update']);

    const labelled = (current: Gizmo) => ({ ...current, metadata: { ...current.metadata, labels: { late: 'yes' } } });
    const merged = await client.mutate(GIZMOS, key, labelled, { from: first });
    expect(calls).toEqual(['update', 'update', 'get', 'update']);
    expect(merged).toMatchObject({ spec: { size: 3 }, metadata: { labels: { late: 'yes' } } });

    await client.delete(GIZMOS, key);
    expect(await client.mutate(GIZMOS, key, resize(5), { from: merged })).toBeUndefined();
  });

  it('changes metadata, spec and status in one write, and increases the generation if spec changes', async () => {
    await client.ensure(GIZMOS, gizmo('one'));
    calls.length = 0;
    const changed = await client.mutate(GIZMOS, key, (current) => ({
      ...current,
      metadata: { ...current.metadata, finalizers: ['a/b'] },
      spec: { ...current.spec, size: 3 },
      status: { phase: 'Up' },
    }));
    expect(calls).toEqual(['get', 'update']);
    expect(changed).toMatchObject({
      metadata: { finalizers: ['a/b'], generation: 2 },
      spec: { size: 3 },
      status: { phase: 'Up' },
    });
    const again = await client.mutate(GIZMOS, key, (current) => ({
      ...current,
      status: { ...current.status, size: 3 },
    }));
    expect(again).toMatchObject({ metadata: { generation: 2 }, status: { phase: 'Up', size: 3 } });
  });

  it('writes nothing if the result is equal or undefined', async () => {
    const { object } = await client.ensure(GIZMOS, gizmo('one'));
    calls.length = 0;
    expect(
      await client.mutate(GIZMOS, key, (current) => ({
        ...current,
        spec: { ...current.spec, clusterName: undefined },
      })),
    ).toEqual(object);
    expect(await client.mutate(GIZMOS, key, () => undefined)).toEqual(object);
    expect(calls).toEqual(['get', 'get']);
  });

  it('repeats a change that lost a race, and finally fails with Conflict', async () => {
    await client.ensure(GIZMOS, gizmo('one'));
    let rivals = 3;
    const raced = () =>
      client.mutate(GIZMOS, key, (current) => {
        // Another writer writes between our read and our write; the memory storage applies its write immediately.
        if (rivals-- > 0) void storage.update(GIZMOS, current, undefined);
        return resize(9)(current);
      });
    expect(await raced()).toMatchObject({ spec: { size: 9 } });
    await client.mutate(GIZMOS, key, resize(1));
    rivals = 100;
    await expect(raced()).rejects.toMatchObject({ name: 'Conflict' });
    expect(rivals).toBe(100 - PERSISTENT_ATTEMPTS);
  });

  it('removes an object that is being deleted when its last finalizer is removed', async () => {
    await client.ensure(GIZMOS, gizmo('one', {}, { finalizers: ['a/b'] }));
    await client.delete(GIZMOS, key);
    expect((await client.get(GIZMOS, key))?.metadata.deletionTimestamp).toBe('2026-01-02T03:04:05Z');
    const gone = await client.mutate(GIZMOS, key, (current) => ({
      ...current,
      metadata: { ...current.metadata, finalizers: undefined },
    }));
    expect(gone).toBeUndefined();
    expect(await client.get(GIZMOS, key)).toBeUndefined();
  });

  it('returns undefined for an absent object, and ignores its deletion', async () => {
    expect(await client.get(GIZMOS, key)).toBeUndefined();
    expect(await client.mutate(GIZMOS, key, resize(2))).toBeUndefined();
    await client.delete(GIZMOS, key);
  });

  it('does not touch an object that has replaced the intended one', async () => {
    const { object: former } = await client.ensure(GIZMOS, gizmo('one'));
    await client.delete(GIZMOS, former);
    const { object: replacement } = await client.ensure(GIZMOS, gizmo('one'));

    await client.delete(GIZMOS, former);
    expect(await client.mutate(GIZMOS, former, resize(5))).toBeUndefined();
    expect(await client.get(GIZMOS, key)).toEqual(replacement);

    expect((await client.mutate(GIZMOS, replacement, resize(5)))?.spec?.size).toBe(5);
    await client.delete(GIZMOS, replacement);
    expect(await client.get(GIZMOS, key)).toBeUndefined();
  });

  it('lists the objects of a namespace, of all and of one cluster', async () => {
    await client.ensure(GIZMOS, gizmo('one', { clusterName: 'red' }));
    await client.ensure(GIZMOS, gizmo('two', { clusterName: 'blue' }));
    await client.ensure(GIZMOS, gizmo('one', { clusterName: 'red' }, { namespace: 'kube-system' }));
    const names = (items: Gizmo[]) => items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    expect(names(await client.list(GIZMOS, 'default'))).toEqual(['default/one', 'default/two']);
    expect(names(await client.list(GIZMOS))).toHaveLength(3);
    expect(names(await client.listOfCluster(GIZMOS, 'default', 'red'))).toEqual(['default/one']);
  });

  it('refuses to write a field that the kind does not have', async () => {
    await client.ensure(GIZMOS, gizmo('one'));
    const change = client.mutate(GIZMOS, key, (current) => ({ ...current, spec: { ...current.spec, sise: 3 } }));
    await expect(change).rejects.toThrow('unknown field "spec.sise"');
  });
});
