import { beforeEach, describe, expect, it } from 'vitest';
import type { OwnerReference } from '../object.ts';
import { createTestRegistry } from '../registry/test-registry.ts';
import { GIZMOS, gizmo } from '../test-kinds.ts';
import { createMemoryOwnerIndex, type OwnerIndex } from './owner-index.ts';

const BUDGET = { objects: 100, milliseconds: 1000 };
const API_VERSION = 'toys.windlass.dev/v1beta2';

let index: OwnerIndex;
let test: Awaited<ReturnType<typeof createTestRegistry>>;
beforeEach(async () => {
  index = createMemoryOwnerIndex();
  test = await createTestRegistry({ index });
});

const owner = (uid: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  ...{ apiVersion: API_VERSION, kind: 'Gizmo', name: 'gone', uid },
  ...more,
});
const owners = (count: number, prefix = 'u'): OwnerReference[] =>
  Array.from({ length: count }, (_, position) => owner(`${prefix}-${position}`));
const add = async (name: string, ownerReferences: OwnerReference[] = [], namespace = 'default') =>
  (await test.registry.create(GIZMOS, gizmo(name, {}, { namespace, ownerReferences }))).object;
const setOwners = (ownerReferences: OwnerReference[]) =>
  test.registry.update(GIZMOS, { namespace: 'default', name: 'one' }, (current) => ({
    ...current,
    metadata: { ...current.metadata, ownerReferences },
  }));
const later = () => {
  test.time.now = new Date(test.time.now.getTime() + 61_000);
};

describe('owners that an object names', () => {
  it('leave a single mark, whatever their number, and no links once they are dropped', async () => {
    const kept = await add('kept');
    const solid = owner(kept.metadata.uid ?? '', { name: 'kept' });
    const one = await add('one', [solid]);
    for (const round of ['a', 'b', 'c']) await setOwners([solid, ...owners(20, round)]);
    expect((await index.marks()).map(({ uid }) => uid)).toEqual([one.metadata.uid]);
    expect(await index.dependents('a-1')).toEqual([]);
    expect(await index.dependents('c-1')).toHaveLength(1);
    later();
    await test.registry.collectGarbage(BUDGET);
    const found = await test.registry.find(GIZMOS, { namespace: 'default', name: 'one' });
    expect(found?.metadata.ownerReferences).toEqual([solid]);
    expect([await index.marks(), await index.dependents('c-1')]).toEqual([[], []]);
  });

  it('cause the deletion of the object if none of them exists', async () => {
    await add('one', owners(3));
    later();
    await test.registry.collectGarbage(BUDGET);
    expect(await test.registry.find(GIZMOS, { namespace: 'default', name: 'one' })).toBeUndefined();
    expect(await index.dependents('u-0')).toEqual([]);
  });

  it('cause the deletion of the object through a mark of version 0.1, which is for the owner', async () => {
    await add('one', owners(1));
    const [mark] = await index.marks();
    if (mark) await index.unmark(mark);
    const place = { group: 'toys.windlass.dev', plural: 'gizmos', namespace: 'default', name: 'gone' };
    await index.mark({ ...place, uid: 'u-0', at: test.time.now.getTime() });
    await test.registry.collectGarbage(BUDGET);
    expect(await test.registry.find(GIZMOS, { namespace: 'default', name: 'one' })).toBeUndefined();
  });

  it('are limited to 64', async () => {
    await add('one', owners(64));
    await expect(add('two', owners(65))).rejects.toThrow(
      'metadata.ownerReferences: Too many: 65: must have at most 64 items',
    );
    await expect(setOwners([...owners(64), owner('more')])).rejects.toThrow('must have at most 64 items');
  });

  it('may stay or become fewer if an earlier version stored more', async () => {
    await add('one');
    const stored = await test.storage.get(GIZMOS, 'default', 'one');
    if (!stored) throw new Error('the object has to be stored');
    const many = { ...stored, metadata: { ...stored.metadata, ownerReferences: owners(100) } };
    await test.storage.update(GIZMOS, many, undefined);
    const label = (text: string) => ({ labels: { text } });
    const relabeled = await test.registry.update(GIZMOS, { namespace: 'default', name: 'one' }, (current) => ({
      ...current,
      metadata: { ...current.metadata, ...label('x') },
    }));
    expect(relabeled.object.metadata.ownerReferences).toHaveLength(100);
    expect((await setOwners(owners(90))).object.metadata.ownerReferences).toHaveLength(90);
    await expect(setOwners([...owners(80), owner('other')])).rejects.toThrow('must have at most 64 items');
  });

  it.each([
    ['uid', { uid: 'u'.repeat(129) }, 128],
    ['name', { name: 'n'.repeat(254) }, 253],
    ['kind', { kind: 'k'.repeat(64) }, 63],
    ['apiVersion', { apiVersion: `${'g'.repeat(320)}/v1` }, 317],
  ])('must not have a %s that is too long', async (field, more, most) => {
    await expect(add('one', [owner('u', more)])).rejects.toThrow(
      `metadata.ownerReferences.${field}: Too long: may not be more than ${most} bytes`,
    );
  });
});

describe('the time of a collection', () => {
  it('is not used up by the marks of one namespace', async () => {
    const place = { group: 'toys.windlass.dev', plural: 'gizmos', name: 'gone' };
    const at = test.time.now.getTime();
    for (let position = 0; position < 20; position += 1)
      await index.mark({ ...place, namespace: 'default', uid: `slow-${position}`, at: at - 100_000 });
    await index.mark({ ...place, namespace: 'kube-system', uid: 'other', at: at - 100_000 });
    const dependents = index.dependents;
    index.dependents = async (uid) => {
      test.time.now = new Date(test.time.now.getTime() + (uid.startsWith('slow') ? 600 : 1));
      return dependents(uid);
    };
    await test.registry.collectGarbage(BUDGET);
    expect((await index.marks()).map(({ uid }) => uid)).not.toContain('other');
  });
});
