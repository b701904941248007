import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../object.ts';
import { EVENTS, GIZMOS, gizmo, NAMESPACES } from '../test-kinds.ts';
import { causesOf, createTestRegistry, key, refusal } from './test-registry.ts';

let { registry, events, time }: Awaited<ReturnType<typeof createTestRegistry>> = await createTestRegistry();
beforeEach(async () => {
  ({ registry, events, time } = await createTestRegistry());
});

describe('delete', () => {
  const held = gizmo('one', {}, { finalizers: ['toys.windlass.dev/hold'] });
  const release = (current: KubeObject) => ({ ...current, metadata: { ...current.metadata, finalizers: [] } });

  it('immediately removes an object without finalizers', async () => {
    await registry.create(GIZMOS, gizmo('one'));
    expect(await registry.delete(GIZMOS, key)).toMatchObject({ outcome: 'removed' });
    expect(await registry.find(GIZMOS, key)).toBeUndefined();
    expect(events.map(({ type }) => type)).toEqual(['created', 'deleted']);
  });

  it('keeps an object with finalizers, with a timestamp and a new generation, until the last finalizer is removed', async () => {
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

  it('cannot be reverted, and no finalizers can be added to the object', async () => {
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

  it('observes preconditions and dry runs', async () => {
    const { object } = await registry.create(GIZMOS, gizmo('one'));
    for (const preconditions of [{ uid: 'other' }, { uid: '' }, { resourceVersion: '' }]) {
      const error = await refusal(registry.delete(GIZMOS, key, { preconditions }));
      expect(error.code).toBe(409);
    }
    await registry.delete(GIZMOS, key, { dryRun: true });
    expect(await registry.get(GIZMOS, key)).toEqual(object);
  });

  it('returns a namespace with the phase Terminating', async () => {
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

  it('makes a namespace refuse new objects while it is being deleted, with the reason', async () => {
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

  const team = { namespace: '', name: 'team' };
  const makeTeam = () =>
    registry.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });

  it('deletes the content of a namespace', async () => {
    await makeTeam();
    await registry.create(GIZMOS, gizmo('one', {}, { namespace: 'team' }));
    await registry.create(EVENTS, { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e', namespace: 'team' } });
    expect((await registry.delete(NAMESPACES, team)).outcome).toBe('removed');
    expect(await registry.find(NAMESPACES, team)).toBeUndefined();
    expect((await registry.list(GIZMOS, {})).items).toEqual([]);
    expect((await registry.list(EVENTS, {})).items).toEqual([]);
  });

  it('keeps a namespace until its content is gone, reports what is left, and lets the sweep remove the namespace', async () => {
    await makeTeam();
    await registry.create(GIZMOS, gizmo('free', {}, { namespace: 'team' }));
    await registry.create(GIZMOS, gizmo('held', {}, { namespace: 'team', finalizers: ['example.com/a'] }));
    const { object } = await registry.delete(NAMESPACES, team);
    expect(object).toMatchObject({ status: { phase: 'Terminating' } });
    const { items } = await registry.list(GIZMOS, { namespace: 'team' });
    expect(items.map(({ metadata: { name, deletionTimestamp } }) => [name, deletionTimestamp !== undefined])).toEqual([
      ['held', true],
    ]);
    const going = (await registry.get(NAMESPACES, team)) as KubeObject & { status: { conditions: object[] } };
    expect(going.metadata.deletionTimestamp).toBeDefined();
    expect(
      going.status.conditions.map((condition) => Object.values(condition).filter((_, index) => index !== 2)),
    ).toEqual([
      ['NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered', 'All resources successfully discovered'],
      [
        'NamespaceDeletionGroupVersionParsingFailure',
        'False',
        'ParsedGroupVersions',
        'All legacy kube types successfully parsed',
      ],
      [
        'NamespaceDeletionContentFailure',
        'False',
        'ContentDeleted',
        'All content successfully deleted, may be waiting on finalization',
      ],
      [
        'NamespaceContentRemaining',
        'True',
        'SomeResourcesRemain',
        'Some resources are remaining: gizmos.toys.windlass.dev has 1 resource instances',
      ],
      [
        'NamespaceFinalizersRemaining',
        'True',
        'SomeFinalizersRemain',
        'Some content in the namespace has finalizers remaining: example.com/a in 1 resource instances',
      ],
    ]);
    const again = { namespace: 'team', name: 'held' };
    await registry.update(GIZMOS, again, (held) => ({ ...held, metadata: { ...held.metadata, finalizers: [] } }));
    await registry.collectGarbage({ objects: 10, milliseconds: 1_000 });
    expect(await registry.find(NAMESPACES, team)).toBeUndefined();
  });

  it('empties a large namespace in several rounds', async () => {
    await makeTeam();
    for (let index = 0; index < 130; index += 1) {
      await registry.create(GIZMOS, gizmo(`g-${index}`, {}, { namespace: 'team' }));
    }
    await registry.delete(NAMESPACES, team);
    expect((await registry.list(GIZMOS, { namespace: 'team' })).items).toHaveLength(30);
    expect(await registry.find(NAMESPACES, team)).toBeDefined();
    const { touched } = await registry.collectGarbage({ objects: 100, milliseconds: 1_000 });
    expect(touched).toHaveLength(30);
    expect(await registry.find(NAMESPACES, team)).toBeUndefined();
  });

  it('is refused for the initial namespaces', async () => {
    const first = await refusal(registry.delete(NAMESPACES, { namespace: '', name: 'default' }));
    expect(first.message).toBe('namespaces "default" is forbidden: this namespace may not be deleted');
  });
});
