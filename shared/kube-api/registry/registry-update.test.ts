import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { CONFIG_MAPS, GIZMOS, gizmo } from '../test-kinds.ts';
import { causesOf, createTestRegistry, key, refusal } from './test-registry.ts';

let { registry, events }: Awaited<ReturnType<typeof createTestRegistry>> = await createTestRegistry();
beforeEach(async () => {
  ({ registry, events } = await createTestRegistry());
});

describe('update', () => {
  const change = (spec: object) => (current: KubeObject) => ({
    ...current,
    spec: { version: 'v1.30', mode: 'Slow', ...spec },
  });

  it('increases the generation for changes of spec, but not of metadata or status', async () => {
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

  it('accepts an unchanged value that an earlier schema admitted, but not one of a wrong type', async () => {
    const withMode = (mode: object): ResourceDefinition => {
      const spec = { type: 'object', properties: { ...GIZMOS.schema.properties?.spec?.properties, mode } };
      return { ...GIZMOS, schema: { type: 'object', properties: { spec } } } as ResourceDefinition;
    };
    const strict = withMode({ type: 'string', pattern: '^(Fast|Slow)$' });
    await registry.create(withMode({ type: 'string' }), gizmo('one', { mode: 'slowly' }, { finalizers: ['x.dev/f'] }));
    const released = await registry.update(strict, key, (current) => ({
      ...current,
      metadata: { ...current.metadata, finalizers: [] },
    }));
    expect(released).toMatchObject({ outcome: 'updated', object: { spec: { mode: 'slowly' } } });
    const changed = registry.update(strict, key, change({ mode: 'quickly' }));
    expect(causesOf(await refusal(changed))[0]).toContain('spec.mode: Invalid value: "quickly"');
    const untyped = registry.update(withMode({ type: 'integer' }), key, (current) => ({ ...current }));
    expect(causesOf(await refusal(untyped))[0]).toContain('spec.mode in body must be of type integer');
  });

  it('increases the generation for any change outside metadata if status is not a subresource, and gives a ConfigMap none', async () => {
    const plain = { ...GIZMOS, statusSubresource: false };
    await registry.create(plain, gizmo('one'));
    const { object } = await registry.update(plain, key, (current) => ({ ...current, status: { phase: 'Up' } }));
    expect(object).toMatchObject({ metadata: { generation: 2 }, status: { phase: 'Up' } });
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'map', namespace: 'default' } };
    expect((await registry.create(CONFIG_MAPS, map)).object.metadata.generation).toBeUndefined();
  });

  it('ignores status at the main endpoint, and everything else at /status', async () => {
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

  it('writes nothing if nothing changes', async () => {
    const { object } = await registry.create(GIZMOS, gizmo('one'));
    const same = await registry.update(GIZMOS, key, () => gizmo('one', { mode: 'Slow' }));
    expect(same).toMatchObject({ outcome: 'unchanged', object });
    expect(events.map(({ type }) => type)).toEqual(['created']);
  });

  it('refuses an outdated resource version, and another uid', async () => {
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

  it('repeats a change on the newer version if another writer was faster, as often as allowed', async () => {
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

  it('refuses changes of identifying fields, and of immutable fields of the kind', async () => {
    await registry.create(GIZMOS, gizmo('one', { clusterName: 'red' }));
    const moved = await refusal(registry.update(GIZMOS, key, () => gizmo('one', { clusterName: 'blue' })));
    expect(causesOf(moved)).toEqual(['spec.clusterName: Forbidden: field is immutable']);
  });

  it('keeps the creation time, whatever the client sends', async () => {
    const { object } = await registry.create(GIZMOS, gizmo('one'));
    const written = await registry.update(GIZMOS, key, (current) => ({
      ...current,
      metadata: { ...current.metadata, creationTimestamp: '2031-01-01T00:00:00.5Z', labels: { a: 'b' } },
    }));
    expect(written.object.metadata.creationTimestamp).toBe(object.metadata.creationTimestamp);
  });

  it('refuses another uid as a failed precondition in a body, and as an immutable field in a patch', async () => {
    await registry.create(GIZMOS, gizmo('one'));
    const body = () => gizmo('one', {}, { uid: 'other' });
    expect((await refusal(registry.update(GIZMOS, key, body))).code).toBe(409);
    const patched = await refusal(registry.update(GIZMOS, key, body, { patch: true }));
    expect(causesOf(patched)).toEqual(['metadata.uid: Invalid value: "other": field is immutable']);
  });

  it('reports an object that does not exist', async () => {
    const error = await refusal(registry.update(GIZMOS, key, (current) => current));
    expect(error).toMatchObject({ code: 404, message: 'gizmos.toys.windlass.dev "one" not found' });
  });
});
