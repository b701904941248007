import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from './object.ts';
import { EVENTS, GIZMOS, gizmo, NAMESPACES } from './test-kinds.ts';
import { causesOf, createTestRegistry, key, refusal } from './test-registry.ts';

let { registry, events, time }: Awaited<ReturnType<typeof createTestRegistry>> = await createTestRegistry();
beforeEach(async () => {
  ({ registry, events, time } = await createTestRegistry());
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
    time.now = new Date('2026-01-02T04:00:00Z');
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

  it('tells of a namespace how it goes', async () => {
    const team = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } };
    const { object } = await registry.create(NAMESPACES, team);
    const { outcome, object: going } = await registry.delete(NAMESPACES, { namespace: '', name: 'team' });
    expect({ outcome, going }).toEqual({
      outcome: 'removed',
      going: {
        ...object,
        metadata: {
          ...object.metadata,
          resourceVersion: expect.any(String),
          deletionTimestamp: expect.any(String),
        },
        status: { phase: 'Terminating' },
      },
    });
    expect(await registry.find(NAMESPACES, { namespace: '', name: 'team' })).toBeUndefined();
  });

  it('takes nothing new into a namespace that goes, and says why', async () => {
    const held = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'held', finalizers: ['example.com/a'] } };
    await registry.create(NAMESPACES, held);
    await registry.delete(NAMESPACES, { namespace: '', name: 'held' });
    const late = await refusal(registry.create(GIZMOS, gizmo('late', {}, { namespace: 'held' })));
    expect(late).toMatchObject({ code: 403, reason: 'Forbidden' });
    expect(late.details?.causes).toEqual([
      {
        reason: 'NamespaceTerminating',
        message: 'namespace held is being terminated',
        field: 'metadata.namespace',
      },
    ]);
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
