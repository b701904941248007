import { beforeEach, describe, expect, it } from 'vitest';
import type { Random } from '../random.ts';
import { createMemoryStorage } from './memory-storage.ts';
import { ensureNamespaces } from './namespaces.ts';
import type { KubeObject } from './object.ts';
import { createRegistry, type Registry, type WriteEvent } from './registry.ts';
import type { StatusError } from './status-error.ts';
import { CONFIG_MAPS, EVENTS, GIZMOS, gizmo, NAMESPACES, TEST_KINDS } from './test-kinds.ts';

const key = { namespace: 'default', name: 'one' };

/** Counts up: uuids and bytes are predictable and never repeat. */
const countingRandom = (): Random => {
  let count = 0;
  return {
    bytes: (length) => Uint8Array.from({ length }, () => count++ % 256),
    uuid: () => `uid-${++count}`,
  };
};

let now: Date;
let events: WriteEvent[];
let registry: Registry;

beforeEach(async () => {
  now = new Date('2026-01-02T03:04:05.678Z');
  const clock = { now: () => now, sleep: async () => {} };
  events = [];
  registry = createRegistry({
    resources: TEST_KINDS,
    storage: createMemoryStorage(),
    clock,
    random: countingRandom(),
    onWrite: async (event) => void events.push(event),
  });
  await ensureNamespaces(registry);
  events.length = 0;
});

const refusal = async (promise: Promise<unknown>): Promise<StatusError> => {
  const error = await promise.then(
    () => undefined,
    (reason: StatusError) => reason,
  );
  expect(error).toMatchObject({ name: 'StatusError' });
  return error as StatusError;
};
const causesOf = (error: StatusError) =>
  (error.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);

describe('create', () => {
  it('sets what the server decides and the defaults of schema and kind', async () => {
    const { object, outcome } = await registry.create(GIZMOS, {
      ...gizmo('one'),
      metadata: {
        ...gizmo('one').metadata,
        uid: 'mine',
        creationTimestamp: null,
        generation: 7,
        deletionTimestamp: '2020-01-01T00:00:00Z',
      },
      status: { phase: 'Invented' },
    });
    expect(outcome).toBe('created');
    expect(object).toEqual({
      apiVersion: 'toys.windlass.dev/v1beta2',
      kind: 'Gizmo',
      metadata: {
        name: 'one',
        namespace: 'default',
        uid: expect.stringMatching(/^uid-/),
        resourceVersion: expect.any(String),
        generation: 1,
        creationTimestamp: '2026-01-02T03:04:05Z',
      },
      spec: { size: 1, version: 'v1.30', mode: 'Slow' },
    });
    expect(await registry.get(GIZMOS, key)).toEqual(object);
  });

  it('refuses unknown fields, all of them, with the wording of a strict decoder', async () => {
    const body = { ...gizmo('one'), bogus: 1, spec: { version: 'v1.30', parts: [{ name: 'a', colour: 'red' }] } };
    const error = await refusal(registry.create(GIZMOS, { ...body, metadata: { ...body.metadata, nick: 'x' } }));
    expect(error.code).toBe(400);
    expect(error.message).toBe(
      'Gizmo in version "v1beta2" cannot be handled as a Gizmo: strict decoding error: unknown field "metadata.nick", unknown field "spec.parts[0].colour", unknown field "bogus"',
    );
  });

  it('warns of unknown fields or drops them in silence when asked to', async () => {
    const body = { ...gizmo('one'), bogus: 1 };
    const warned = await registry.create(GIZMOS, body, { fieldValidation: 'Warn', dryRun: true });
    expect(warned.warnings).toEqual(['unknown field "bogus"']);
    const ignored = await registry.create(GIZMOS, body, { fieldValidation: 'Ignore' });
    expect(ignored.warnings).toEqual([]);
    expect(ignored.object).not.toHaveProperty('bogus');
  });

  it('returns every structural error with field path and wording of the API server', async () => {
    const error = await refusal(
      registry.create(GIZMOS, {
        ...gizmo('one'),
        spec: {
          size: -1,
          version: '1.30',
          clusterName: '',
          mode: 'Medium',
          parts: [{ name: 'a' }, { name: 'a', count: 'two' }, { count: 1.5 }, { name: 'd' }],
        },
      }),
    );
    expect(error.code).toBe(422);
    expect(error.details).toMatchObject({ name: 'one', group: 'toys.windlass.dev', kind: 'Gizmo' });
    expect(causesOf(error)).toEqual([
      'spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0',
      'spec.version: Invalid value: "1.30": spec.version in body should match \'^v\\d+\\.\\d+$\'',
      'spec.clusterName: Invalid value: "": spec.clusterName in body should be at least 1 chars long',
      'spec.mode: Unsupported value: "Medium": supported values: "Fast", "Slow"',
      'spec.parts: Too many: 4: must have at most 3 items',
      'spec.parts[1].count: Invalid value: "string": spec.parts[1].count in body must be of type integer: "string"',
      'spec.parts[2].name: Required value',
      'spec.parts[2].count: Invalid value: "number": spec.parts[2].count in body must be of type integer: "number"',
      'spec.parts[1]: Duplicate value: {"name":"a"}',
    ]);
    expect(error.message).toMatch(/^Gizmo\.toys\.windlass\.dev "one" is invalid: \[spec\.size: Invalid value: -1: /);
  });

  it.each([
    ['Big_One', 'metadata.name', 'a lowercase RFC 1123 subdomain must consist of'],
    ['a'.repeat(254), 'metadata.name', 'must be no more than 253 characters'],
  ])('refuses the name %s', async (name, field, detail) => {
    const error = await refusal(registry.create(GIZMOS, gizmo(name)));
    expect(error.details?.causes?.[0]).toMatchObject({ field, message: expect.stringContaining(detail) });
  });

  it('refuses labels, annotations, finalizers and owners that are malformed', async () => {
    const metadata = {
      labels: { 'a b': 'x', ok: 'not ok' },
      annotations: { '/x': '' },
      finalizers: ['a/b/c'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: '' }],
    };
    const error = await refusal(registry.create(GIZMOS, gizmo('one', {}, metadata)));
    expect(error.details?.causes?.map(({ field }) => field)).toEqual([
      'metadata.labels',
      'metadata.labels',
      'metadata.annotations',
      'metadata.ownerReferences[0].uid',
      'metadata.finalizers[0]',
    ]);
  });

  it('refuses metadata of a wrong type as a decoder would', async () => {
    const error = await refusal(
      registry.create(GIZMOS, { ...gizmo('one'), metadata: { name: 'one', namespace: 'default', labels: { a: 1 } } }),
    );
    expect(error.code).toBe(400);
    expect(error.message).toContain(
      'cannot unmarshal number into Go struct field ObjectMeta.metadata.labels.a of type string',
    );
  });

  it('refuses another kind or version than the resource is of', async () => {
    const wrong = await refusal(registry.create(GIZMOS, { ...gizmo('one'), apiVersion: 'toys.windlass.dev/v1' }));
    expect(wrong.message).toBe(
      'the API version in the data (toys.windlass.dev/v1) does not match the expected API version (toys.windlass.dev/v1beta2)',
    );
    expect((await refusal(registry.create(GIZMOS, { ...gizmo('one'), kind: 'Gadget' }))).code).toBe(400);
  });

  it('refuses a name that is taken, also in a dry run', async () => {
    await registry.create(GIZMOS, gizmo('one'));
    for (const dryRun of [false, true]) {
      const error = await refusal(registry.create(GIZMOS, gizmo('one'), { dryRun }));
      expect(error.message).toBe('gizmos.toys.windlass.dev "one" already exists');
      expect(error).toMatchObject({ code: 409, reason: 'AlreadyExists' });
    }
  });

  it('makes a name from generateName', async () => {
    const { object } = await registry.create(GIZMOS, {
      ...gizmo(''),
      metadata: { generateName: 'one-', namespace: 'default' },
    });
    expect(object.metadata.name).toMatch(/^one-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    const error = await refusal(registry.create(GIZMOS, { ...gizmo(''), metadata: { namespace: 'default' } }));
    expect(causesOf(error)).toEqual(['metadata.name: Required value: name or generateName is required']);
  });

  it('needs the namespace', async () => {
    const error = await refusal(registry.create(GIZMOS, gizmo('one', {}, { namespace: 'nowhere' })));
    expect(error).toMatchObject({ code: 404, message: 'namespaces "nowhere" not found' });
    await registry.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'nowhere' } });
    await registry.create(GIZMOS, gizmo('one', {}, { namespace: 'nowhere' }));
  });

  it('stores nothing and tells nobody in a dry run', async () => {
    const { object } = await registry.create(GIZMOS, gizmo('one'), { dryRun: true });
    expect(object.metadata.uid).toBeDefined();
    expect(await registry.find(GIZMOS, key)).toBeUndefined();
    expect(events).toEqual([]);
  });
});

describe('update', () => {
  const change = (spec: object) => (current: KubeObject) => ({
    ...current,
    spec: { version: 'v1.30', mode: 'Slow', ...spec },
  });

  it('moves generation with spec, and not with metadata or status', async () => {
    await registry.create(GIZMOS, gizmo('one'));
    const sized = await registry.update(GIZMOS, key, change({ size: 2 }));
    expect(sized).toMatchObject({ outcome: 'updated', object: { metadata: { generation: 2 }, spec: { size: 2 } } });
    const labelled = await registry.update(GIZMOS, key, (current) => ({
      ...current,
      metadata: { ...current.metadata, labels: { a: 'b' }, generation: 99 },
    }));
    expect(labelled.object.metadata).toMatchObject({ generation: 2, labels: { a: 'b' } });
    const status = await registry.update(GIZMOS, key, (current) => ({ ...current, status: { phase: 'Up' } }), {
      scope: 'status',
    });
    expect(status.object).toMatchObject({ metadata: { generation: 2 }, status: { phase: 'Up' } });
  });

  it('moves generation with anything but metadata where status is no subresource, and gives a ConfigMap none', async () => {
    const plain = { ...GIZMOS, statusSubresource: false };
    await registry.create(plain, gizmo('one'));
    const { object } = await registry.update(plain, key, (current) => ({ ...current, status: { phase: 'Up' } }));
    expect(object).toMatchObject({ metadata: { generation: 2 }, status: { phase: 'Up' } });
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'map', namespace: 'default' } };
    expect((await registry.create(CONFIG_MAPS, map)).object.metadata.generation).toBeUndefined();
  });

  it('keeps status out of the main endpoint and everything else out of /status', async () => {
    await registry.create(GIZMOS, gizmo('one'));
    const both = (current: KubeObject) => ({
      ...current,
      metadata: { ...current.metadata, labels: { a: 'b' } },
      spec: { version: 'v1.31', size: 1, mode: 'Slow' },
      status: { phase: 'Up' },
    });
    const status = await registry.update(GIZMOS, key, both, { scope: 'status' });
    expect(status.object).toMatchObject({ spec: { version: 'v1.30' }, status: { phase: 'Up' } });
    expect(status.object.metadata.labels).toBeUndefined();
    const main = await registry.update(GIZMOS, key, (current) => ({ ...both(current), status: undefined }));
    expect(main.object).toMatchObject({
      metadata: { labels: { a: 'b' } },
      spec: { version: 'v1.31' },
      status: { phase: 'Up' },
    });
  });

  it('does not write when nothing changes', async () => {
    const { object } = await registry.create(GIZMOS, gizmo('one'));
    const same = await registry.update(GIZMOS, key, () => gizmo('one', { mode: 'Slow' }));
    expect(same).toMatchObject({ outcome: 'unchanged', object });
    expect(events.map(({ type }) => type)).toEqual(['created']);
  });

  it('refuses a version that is not the newest, and another uid', async () => {
    const { object } = await registry.create(GIZMOS, gizmo('one'));
    await registry.update(GIZMOS, key, change({ size: 2 }));
    const error = await refusal(registry.update(GIZMOS, key, () => object));
    expect(error).toMatchObject({ code: 409, reason: 'Conflict', details: { name: 'one', kind: 'gizmos' } });
    expect(error.message).toBe(
      'Operation cannot be fulfilled on gizmos.toys.windlass.dev "one": the object has been modified; please apply your changes to the latest version and try again',
    );
    const other = await refusal(registry.update(GIZMOS, key, () => gizmo('one', {}, { uid: 'other' })));
    expect(other.message).toMatch(/Precondition failed: UID in precondition: other, UID in object meta: uid-/);
  });

  it('applies a change again to the newer version when another writer was faster, as often as allowed', async () => {
    await registry.create(GIZMOS, gizmo('one'));
    const race = (attempts: number) =>
      Promise.allSettled(
        [2, 3, 4].map((size) =>
          registry.update(GIZMOS, key, (current) => ({ ...current, spec: { ...current.spec, size: size * 10 } }), {
            attempts,
          }),
        ),
      );
    expect((await race(1)).filter(({ status }) => status === 'rejected')).toHaveLength(2);
    expect((await race(8)).filter(({ status }) => status === 'rejected')).toHaveLength(0);
  });

  it('refuses to change what identifies an object, and what the kind says is immutable', async () => {
    await registry.create(GIZMOS, gizmo('one', { clusterName: 'red' }));
    const stamped = await refusal(
      registry.update(GIZMOS, key, () =>
        gizmo('one', { clusterName: 'red' }, { creationTimestamp: '2020-01-01T00:00:00Z' }),
      ),
    );
    expect(causesOf(stamped)).toEqual([
      'metadata.creationTimestamp: Invalid value: "2020-01-01T00:00:00Z": field is immutable',
    ]);
    const moved = await refusal(registry.update(GIZMOS, key, () => gizmo('one', { clusterName: 'blue' })));
    expect(causesOf(moved)).toEqual(['spec.clusterName: Forbidden: field is immutable']);
  });

  it('tells of an object that is not there', async () => {
    const error = await refusal(registry.update(GIZMOS, key, (current) => current));
    expect(error).toMatchObject({ code: 404, message: 'gizmos.toys.windlass.dev "one" not found' });
  });
});

describe('delete', () => {
  const held = gizmo('one', {}, { finalizers: ['toys.windlass.dev/hold'] });
  const release = (current: KubeObject) => ({ ...current, metadata: { ...current.metadata, finalizers: [] } });

  it('removes an object without finalizers at once', async () => {
    await registry.create(GIZMOS, gizmo('one'));
    expect(await registry.delete(GIZMOS, key)).toMatchObject({ outcome: 'removed' });
    expect(await registry.find(GIZMOS, key)).toBeUndefined();
    expect(events.map(({ type }) => type)).toEqual(['created', 'deleted']);
  });

  it('keeps an object with finalizers, stamped and a generation on, until the last one goes', async () => {
    await registry.create(GIZMOS, held);
    const marked = await registry.delete(GIZMOS, key);
    expect(marked).toMatchObject({
      outcome: 'updated',
      object: { metadata: { deletionTimestamp: '2026-01-02T03:04:05Z', deletionGracePeriodSeconds: 0, generation: 2 } },
    });
    now = new Date('2026-01-02T04:00:00Z');
    expect(await registry.delete(GIZMOS, key)).toMatchObject({ outcome: 'unchanged', object: marked.object });
    expect(await registry.update(GIZMOS, key, release)).toMatchObject({ outcome: 'removed' });
    expect(await registry.find(GIZMOS, key)).toBeUndefined();
  });

  it('lets nobody take deletion back or add finalizers meanwhile', async () => {
    await registry.create(GIZMOS, held);
    await registry.delete(GIZMOS, key);
    const { object } = await registry.update(GIZMOS, key, (current) => ({
      ...current,
      metadata: { ...current.metadata, deletionTimestamp: undefined, labels: { a: 'b' } },
    }));
    expect(object.metadata.deletionTimestamp).toBe('2026-01-02T03:04:05Z');
    const error = await refusal(
      registry.update(GIZMOS, key, (current) => ({
        ...current,
        metadata: { ...current.metadata, finalizers: ['toys.windlass.dev/hold', 'x/y'] },
      })),
    );
    expect(causesOf(error)).toEqual([
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x/y"}',
    ]);
  });

  it('records the propagation policy as a finalizer', async () => {
    await registry.create(GIZMOS, gizmo('one'));
    const { object } = await registry.delete(GIZMOS, key, { propagationPolicy: 'Foreground' });
    expect(object.metadata.finalizers).toEqual(['foregroundDeletion']);
    expect((await registry.delete(GIZMOS, key, { propagationPolicy: 'Background' })).outcome).toBe('removed');
  });

  it('keeps to preconditions and dry runs', async () => {
    const { object } = await registry.create(GIZMOS, gizmo('one'));
    const error = await refusal(registry.delete(GIZMOS, key, { preconditions: { uid: 'other' } }));
    expect(error.code).toBe(409);
    await registry.delete(GIZMOS, key, { dryRun: true });
    expect(await registry.get(GIZMOS, key)).toEqual(object);
  });

  it('keeps a namespace that holds objects, and the first ones for ever', async () => {
    await registry.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    await registry.create(GIZMOS, gizmo('one', {}, { namespace: 'team' }));
    await registry.create(EVENTS, { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e', namespace: 'team' } });
    const team = { namespace: '', name: 'team' };
    const error = await refusal(registry.delete(NAMESPACES, team));
    expect(error.message).toContain('delete them first: gizmos.toys.windlass.dev');
    await registry.delete(GIZMOS, { namespace: 'team', name: 'one' });
    expect((await registry.delete(NAMESPACES, team)).outcome).toBe('removed');
    const first = await refusal(registry.delete(NAMESPACES, { namespace: '', name: 'default' }));
    expect(first.message).toBe('namespaces "default" is forbidden: this namespace may not be deleted');
  });
});
