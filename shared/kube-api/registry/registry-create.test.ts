import { beforeEach, describe, expect, it } from 'vitest';
import { GIZMOS, type Gizmo, gizmo, NAMESPACES } from '../test-kinds.ts';
import { causesOf, createTestRegistry, key, refusal } from './test-registry.ts';

let { registry, events }: Awaited<ReturnType<typeof createTestRegistry>> = await createTestRegistry();
beforeEach(async () => {
  ({ registry, events } = await createTestRegistry());
});

describe('create', () => {
  it('sets the fields that the server decides, and the defaults of schema and kind', async () => {
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

  it('stores the initial status of a kind that defines one, unless a controller writes another status', async () => {
    const speaking = { ...GIZMOS, initialStatus: () => ({ phase: 'Idle' }) };
    const asked: Gizmo = { ...gizmo('one'), status: { phase: 'Invented' } };
    const { object: first } = await registry.create<Gizmo>(speaking, asked);
    expect(first.status).toEqual({ phase: 'Idle' });
    const other = { ...asked, metadata: { ...asked.metadata, name: 'two' } };
    const { object: second } = await registry.create<Gizmo>(speaking, other, { scope: 'all' });
    expect(second.status).toEqual({ phase: 'Invented' });
  });

  it('refuses all unknown fields, with the wording of a strict decoder', async () => {
    const body = { ...gizmo('one'), bogus: 1, spec: { version: 'v1.30', parts: [{ name: 'a', colour: 'red' }] } };
    const error = await refusal(registry.create(GIZMOS, { ...body, metadata: { ...body.metadata, nick: 'x' } }));
    expect(error.code).toBe(400);
    expect(error.message).toBe(
      'Gizmo in version "v1beta2" cannot be handled as a Gizmo: strict decoding error: unknown field "metadata.nick", unknown field "bogus", unknown field "spec.parts[0].colour"',
    );
  });

  it('warns about unknown fields or drops them silently if asked to', async () => {
    const body = { ...gizmo('one'), bogus: 1 };
    const warned = await registry.create(GIZMOS, body, { fieldValidation: 'Warn', dryRun: true });
    expect(warned.warnings).toEqual(['unknown field "bogus"']);
    const ignored = await registry.create(GIZMOS, body, { fieldValidation: 'Ignore' });
    expect(ignored.warnings).toEqual([]);
    expect(ignored.object).not.toHaveProperty('bogus');
  });

  it('returns every structural error with the field path and the wording of the API server', async () => {
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
      'metadata.ownerReferences.uid',
      'metadata.finalizers',
    ]);
  });

  it.each([
    [{ apiVersion: 'v1' }, undefined],
    [{ apiVersion: '/v1' }, undefined],
    [{ apiVersion: 'events.k8s.io/v1', kind: 'Event' }, undefined],
    [{ apiVersion: 'a/b/c' }, '.apiVersion: Invalid value: "a/b/c": version must not be empty'],
    [{ apiVersion: 'a/' }, '.apiVersion: Invalid value: "a/": version must not be empty'],
    [
      { apiVersion: 'v1', kind: 'Event' },
      ': Invalid value: {"apiVersion":"v1","kind":"Event","name":"x","uid":"1"}: /v1, Kind=Event is disallowed from being an owner',
    ],
  ])('validates the owner %j', async (owner, fault) => {
    const ownerReferences = [{ kind: 'X', name: 'x', uid: '1', ...owner }];
    const created = registry.create(GIZMOS, gizmo('one', {}, { ownerReferences }));
    if (fault === undefined) await created;
    else expect((await refusal(created)).message).toContain(`invalid: metadata.ownerReferences${fault}`);
  });

  it('refuses metadata of a wrong type as a decoder would', async () => {
    const error = await refusal(
      registry.create(GIZMOS, { ...gizmo('one'), metadata: { name: 'one', namespace: 'default', labels: { a: 1 } } }),
    );
    expect(error.code).toBe(400);
    expect(error.message).toContain('cannot unmarshal number into Go struct field ObjectMeta.labels of type string');
  });

  it('refuses a kind or a version other than that of the resource', async () => {
    const wrong = await refusal(registry.create(GIZMOS, { ...gizmo('one'), apiVersion: 'toys.windlass.dev/v1' }));
    expect(wrong.message).toBe(
      'the API version in the data (toys.windlass.dev/v1) does not match the expected API version (toys.windlass.dev/v1beta2)',
    );
    const other = await refusal(registry.create(GIZMOS, { ...gizmo('one'), kind: 'Gadget' }));
    expect(other.message).toBe(
      'Gadget.toys.windlass.dev "one" is invalid: kind: Invalid value: "Gadget": must be Gizmo',
    );
  });

  it('refuses a name that already exists, also in a dry run', async () => {
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

  it('refuses an object whose namespace does not exist', async () => {
    const error = await refusal(registry.create(GIZMOS, gizmo('one', {}, { namespace: 'nowhere' })));
    expect(error).toMatchObject({ code: 404, message: 'namespaces "nowhere" not found' });
    await registry.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'nowhere' } });
    await registry.create(GIZMOS, gizmo('one', {}, { namespace: 'nowhere' }));
  });

  it('stores nothing and reports no write in a dry run', async () => {
    const { object } = await registry.create(GIZMOS, gizmo('one'), { dryRun: true });
    expect(object.metadata.uid).toBeDefined();
    expect(await registry.find(GIZMOS, key)).toBeUndefined();
    expect(events).toEqual([]);
  });
});
