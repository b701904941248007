import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject, ObjectMeta } from '../object.ts';
import type { DeleteOptions } from '../registry/registry.ts';
import { createTestRegistry } from '../registry/test-registry.ts';
import { CONFIG_MAPS, GIZMOS, gizmo, NAMESPACES, SECRETS } from '../test-kinds.ts';
import { createMemoryOwnerIndex, type OwnerIndex } from './owner-index.ts';

const BUDGET = { objects: 100, milliseconds: 1000 };
const HOLD = 'toys.windlass.dev/hold';

let index: OwnerIndex;
let test: Awaited<ReturnType<typeof createTestRegistry>>;
let failures: unknown[];

const start = async (atOnce: typeof BUDGET | null = BUDGET) => {
  index = createMemoryOwnerIndex();
  failures = [];
  test = await createTestRegistry({
    index,
    ...(atOnce ? { atOnce } : {}),
    onFailure: (error) => void failures.push(error),
  });
};
beforeEach(() => start());

const at = (name: string) => ({ namespace: 'default', name });
const ownedBy = ({ apiVersion, kind, metadata: { name, uid = '' } }: KubeObject, more = {}) => [
  { apiVersion, kind, name, uid, ...more },
];
const addGizmo = async (name: string, metadata: Partial<ObjectMeta> = {}) =>
  (await test.registry.create(GIZMOS, gizmo(name, {}, metadata))).object;
const addSecret = async (name: string, metadata: Partial<ObjectMeta>) =>
  (
    await test.registry.create(SECRETS, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: 'default', ...metadata },
    })
  ).object;
const findGizmo = (name: string) => test.registry.find(GIZMOS, at(name));
const findSecret = (name: string) => test.registry.find(SECRETS, at(name));
const remove = (name: string, propagationPolicy?: DeleteOptions['propagationPolicy']) =>
  test.registry.delete(GIZMOS, at(name), { propagationPolicy });
const release = (name: string) =>
  test.registry.update(GIZMOS, at(name), (current) => ({
    ...current,
    metadata: { ...current.metadata, finalizers: current.metadata.finalizers?.filter((one) => one !== HOLD) },
  }));
const later = () => {
  test.time.now = new Date(test.time.now.getTime() + 61_000);
};

describe('a dependent of a deleted owner', () => {
  it('is deleted, down the whole chain, and leaves no mark in the index', async () => {
    const owner = await addGizmo('owner');
    const part = await addGizmo('part', { ownerReferences: ownedBy(owner) });
    await addSecret('of-part', { ownerReferences: ownedBy(part) });
    await addSecret('of-nobody', {});
    await remove('owner', 'Background');
    expect([await findGizmo('part'), await findSecret('of-part')]).toEqual([undefined, undefined]);
    expect(await findSecret('of-nobody')).toBeDefined();
    expect([await index.marks(), await index.dependents(owner.metadata.uid ?? '')]).toEqual([[], []]);
  });

  it('is deleted when the last finalizer of the owner is removed', async () => {
    const owner = await addGizmo('owner', { finalizers: [HOLD] });
    await addSecret('owned', { ownerReferences: ownedBy(owner) });
    await remove('owner');
    expect(await findSecret('owned')).toBeDefined();
    await release('owner');
    expect(await findSecret('owned')).toBeUndefined();
  });

  it('stays while another owner exists, without the reference to the deleted one', async () => {
    const [first, second] = [await addGizmo('first'), await addGizmo('second')];
    await addSecret('shared', { ownerReferences: [...ownedBy(first), ...ownedBy(second)] });
    await remove('first');
    expect((await findSecret('shared'))?.metadata.ownerReferences).toEqual(ownedBy(second));
    await remove('second');
    expect(await findSecret('shared')).toBeUndefined();
  });

  it('is only marked for deletion while it has finalizers', async () => {
    const owner = await addGizmo('owner');
    await addGizmo('held', { ownerReferences: ownedBy(owner), finalizers: [HOLD] });
    await remove('owner');
    expect((await findGizmo('held'))?.metadata.deletionTimestamp).toBeDefined();
    await release('held');
    expect(await findGizmo('held')).toBeUndefined();
  });

  it('is distinguished from a dependent of a new object with the same name', async () => {
    const old = await addGizmo('owner');
    await remove('owner');
    const owner = await addGizmo('owner');
    await addSecret('owned', { ownerReferences: ownedBy(owner) });
    await addSecret('stale', { ownerReferences: ownedBy(old) });
    later();
    await test.registry.collectGarbage(BUDGET);
    expect([await findSecret('owned'), await findSecret('stale')]).toEqual([expect.anything(), undefined]);
  });
});

describe('propagation', () => {
  it('Orphan removes the reference and nothing else', async () => {
    const owner = await addGizmo('owner');
    await addSecret('owned', { ownerReferences: ownedBy(owner) });
    expect((await remove('owner', 'Orphan')).object.metadata.finalizers).toEqual(['orphan']);
    expect(await findGizmo('owner')).toBeUndefined();
    expect((await findSecret('owned'))?.metadata).not.toHaveProperty('ownerReferences.0');
  });

  it('Orphan reports each dependent before the reference is removed', async () => {
    await start(null);
    const owner = await addGizmo('owner');
    await addSecret('owned', { ownerReferences: ownedBy(owner) });
    await remove('owner', 'Orphan');
    const reported: unknown[] = [];
    await test.registry.collectGarbage(BUDGET, async ({ object: { metadata } }) => {
      reported.push(metadata.name, metadata.ownerReferences);
    });
    expect(reported).toEqual(['owned', ownedBy(owner)]);
    expect(await findGizmo('owner')).toBeUndefined();
  });

  it('Foreground keeps the owner until the last dependent that blocks it is gone', async () => {
    const owner = await addGizmo('owner');
    const blocks = { blockOwnerDeletion: true };
    await addGizmo('held', { ownerReferences: ownedBy(owner, blocks), finalizers: [HOLD] });
    await addGizmo('free', { ownerReferences: ownedBy(owner) });
    await remove('owner', 'Foreground');
    expect((await findGizmo('owner'))?.metadata.finalizers).toEqual(['foregroundDeletion']);
    expect(await findGizmo('free')).toBeUndefined();
    await release('held');
    expect([await findGizmo('held'), await findGizmo('owner')]).toEqual([undefined, undefined]);
    expect(failures).toEqual([]);
  });

  it.each(['Foreground', 'Orphan', 'Background'] as const)(
    '%s does not concern objects of another namespace, which cannot hold the owner',
    async (policy) => {
      const owner = await addGizmo('owner');
      await test.registry.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
      const blocks = { blockOwnerDeletion: true };
      const named = { ownerReferences: ownedBy(owner, blocks), finalizers: [HOLD] };
      await test.registry.create(GIZMOS, gizmo('foreign', {}, { namespace: 'other', ...named }));
      await remove('owner', policy);
      expect(await findGizmo('owner')).toBeUndefined();
      const foreign = await test.registry.find(GIZMOS, { namespace: 'other', name: 'foreign' });
      expect(foreign?.metadata).toMatchObject(named);
      expect(foreign?.metadata.deletionTimestamp).toBeUndefined();
      // It is collected like each object whose owner does not exist in its namespace.
      later();
      await test.registry.collectGarbage(BUDGET);
      const marked = await test.registry.find(GIZMOS, { namespace: 'other', name: 'foreign' });
      expect(marked?.metadata.deletionTimestamp).toBeDefined();
    },
  );

  it('Foreground does not delete the dependents as long as the owner has other finalizers', async () => {
    const owner = await addGizmo('owner', { finalizers: [HOLD] });
    await addSecret('owned', { ownerReferences: ownedBy(owner, { blockOwnerDeletion: true }) });
    await remove('owner', 'Foreground');
    expect(await findSecret('owned')).toBeDefined();
    await release('owner');
    expect([await findSecret('owned'), await findGizmo('owner')]).toEqual([undefined, undefined]);
  });
});

describe('garbage collection that is not done immediately', () => {
  it('is not repeated for an owner with finalizers until they are removed', async () => {
    const owner = await addGizmo('owner', { finalizers: [HOLD] });
    await addSecret('owned', { ownerReferences: ownedBy(owner) });
    await remove('owner', 'Foreground');
    await test.registry.collectGarbage(BUDGET);
    expect(await index.marks()).toHaveLength(1);
    later();
    await test.registry.collectGarbage(BUDGET);
    expect(await index.marks()).toEqual([]);
    await release('owner');
    expect([await findGizmo('owner'), await findSecret('owned')]).toEqual([undefined, undefined]);
  });

  it('is done by the sweep in portions', async () => {
    await start(null);
    const owner = await addGizmo('owner');
    for (const name of ['a', 'b', 'c']) await addSecret(name, { ownerReferences: ownedBy(owner) });
    await remove('owner');
    expect(await findSecret('a')).toBeDefined();
    const first = await test.registry.collectGarbage({ ...BUDGET, objects: 2 });
    expect(first.touched.map(({ object }) => object.metadata.name)).toEqual(['a', 'b']);
    const second = await test.registry.collectGarbage(BUDGET);
    expect(second.touched.map(({ object }) => object.metadata.name)).toEqual(['c']);
  });

  it('of one namespace does not use up the budget of the others', async () => {
    await start(null);
    const many = await addGizmo('many');
    for (const name of ['a', 'b', 'c', 'd', 'e']) await addSecret(name, { ownerReferences: ownedBy(many) });
    const namespace = 'kube-system';
    const { object: few } = await test.registry.create(GIZMOS, gizmo('few', {}, { namespace }));
    await addSecret('other', { namespace, ownerReferences: ownedBy(few) });
    await remove('many');
    await test.registry.delete(GIZMOS, { namespace, name: 'few' });
    await test.registry.collectGarbage({ ...BUDGET, objects: 4 });
    expect(await test.registry.find(SECRETS, { namespace, name: 'other' })).toBeUndefined();
  });

  it('stops when its time is up, even among the dependents of one owner', async () => {
    await start(null);
    const owner = await addGizmo('owner');
    const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
    for (const name of names) await addSecret(name, { ownerReferences: ownedBy(owner) });
    await remove('owner');
    const slow = async () => {
      test.time.now = new Date(test.time.now.getTime() + 200);
    };
    const { touched } = await test.registry.collectGarbage(BUDGET, slow);
    expect(touched.length).toBeLessThan(names.length);
    expect((await index.marks()).map(({ uid }) => uid)).toContain(owner.metadata.uid);
  });

  it('is retried after a failure', async () => {
    const owner = await addGizmo('owner');
    await addSecret('owned', { ownerReferences: ownedBy(owner) });
    const { dependents } = index;
    index.dependents = () => Promise.reject(new Error('throttled'));
    await remove('owner');
    expect(failures).toEqual([new Error('throttled')]);
    index.dependents = dependents;
    await test.registry.collectGarbage(BUDGET);
    expect(await findSecret('owned')).toBeUndefined();
  });

  it('waits for an object that is written after its link to the owner', async () => {
    const owner = await addGizmo('owner');
    const place = { group: '', plural: 'configmaps', namespace: 'default', name: 'late' };
    await index.link(owner.metadata.uid ?? '', place);
    await remove('owner');
    await test.registry.create(CONFIG_MAPS, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'late', namespace: 'default', ownerReferences: ownedBy(owner) },
    });
    await test.registry.collectGarbage(BUDGET);
    expect(await test.registry.find(CONFIG_MAPS, at('late'))).toBeUndefined();
    later();
    await test.registry.collectGarbage(BUDGET);
    expect(await index.marks()).toEqual([]);
  });
});
