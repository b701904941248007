/** An object that is created while its namespace is being deleted. */
import { beforeEach, expect, it, vi } from 'vitest';
import { createMemoryOwnerIndex, type OwnerIndex } from '../garbage/owner-index.ts';
import type { ObjectMeta } from '../object.ts';
import type { Storage } from '../storage/storage.ts';
import { GIZMOS, gizmo, NAMESPACES } from '../test-kinds.ts';
import { createTestRegistry, refusal } from './test-registry.ts';

const TEAM = { namespace: '', name: 'team' };
const ONE = { namespace: 'team', name: 'one' };
const GONE = { code: 404, reason: 'NotFound', message: 'namespaces "team" not found' };
const TERMINATING = { code: 403, details: { causes: [expect.objectContaining({ reason: 'NamespaceTerminating' })] } };
const MAYBE_LEFT = {
  code: 500,
  reason: 'InternalError',
  message:
    'Internal error occurred: gizmos.toys.windlass.dev "one" was created while its namespace was being deleted, and may have been left in it',
};

let test: Awaited<ReturnType<typeof createTestRegistry>>;
let index: OwnerIndex;
const makeTeam = (finalizers: string[] = []) =>
  test.registry.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team', finalizers } });
const deleteTeam = () => test.registry.delete(NAMESPACES, TEAM);
const create = (metadata: Partial<ObjectMeta> = {}) =>
  test.registry.create(GIZMOS, gizmo('one', {}, { namespace: 'team', ...metadata }));
const find = () => test.registry.find(GIZMOS, ONE);
const mark = () =>
  test.registry.update(GIZMOS, ONE, (one) => ({ ...one, metadata: { ...one.metadata, labels: { a: 'b' } } }));

/** Lets others act once, around the next put. */
const around = ({ before, after }: { before?: () => Promise<unknown>; after?: () => Promise<unknown> }) => {
  const { create: put } = test.storage;
  return vi.spyOn(test.storage, 'create').mockImplementationOnce(async (...given) => {
    await before?.();
    const stored = await put(...given);
    await after?.();
    return stored;
  });
};

beforeEach(async () => {
  index = createMemoryOwnerIndex();
  test = await createTestRegistry({ index, atOnce: { objects: 10, milliseconds: 1_000 } });
  await makeTeam();
});

it.each([[[]], [['example.com/a']]])('is not left in a namespace that is gone, with the finalizers %j', async (own) => {
  around({ before: deleteTeam });
  expect(await refusal(create({ finalizers: own }))).toMatchObject(GONE);
  expect(await find()).toBeUndefined();
});

it('is not left in a namespace that is held, and watchers see it come and go', async () => {
  await test.registry.update(NAMESPACES, TEAM, (team) => ({
    ...team,
    metadata: { ...team.metadata, finalizers: ['example.com/a'] },
  }));
  const { resourceVersion: after } = await test.registry.list(GIZMOS, {});
  around({ before: deleteTeam });
  expect(await refusal(create({ finalizers: ['example.com/b'] }))).toMatchObject(TERMINATING);
  expect(await find()).toBeUndefined();
  const seen = await test.registry.changes(GIZMOS, { after }).poll();
  expect(seen.map(({ type }) => type)).toEqual(['ADDED', 'DELETED']);
  expect(test.events.filter(({ resource }) => resource === GIZMOS).map(({ type }) => type)).toEqual(['deleted']);
});

it('is not given to a new namespace of the same name', async () => {
  around({ before: () => deleteTeam().then(() => makeTeam()) });
  expect(await refusal(create())).toMatchObject(GONE);
  expect(await find()).toBeUndefined();
});

it('leaves another object of its name in a new namespace alone', async () => {
  around({
    after: () =>
      deleteTeam()
        .then(() => makeTeam())
        .then(() => create()),
  });
  expect(await refusal(create())).toMatchObject(GONE);
  expect(await find()).toBeDefined();
});

it('is refused as well if the deletion of the namespace has removed it', async () => {
  around({ after: deleteTeam });
  expect(await refusal(create())).toMatchObject(GONE);
  expect(await find()).toBeUndefined();
});

it('is removed if others have changed it', async () => {
  around({ before: deleteTeam, after: mark });
  expect(await refusal(create())).toMatchObject(GONE);
  expect(await find()).toBeUndefined();
});

it('is named if others have changed it and a finalizer keeps it', async () => {
  around({ before: deleteTeam, after: mark });
  expect(await refusal(create({ finalizers: ['example.com/a'] }))).toMatchObject(MAYBE_LEFT);
  expect((await find())?.metadata.deletionTimestamp).toBeDefined();
});

it('is named if it cannot be removed', async () => {
  const cause = new Error('the table is on fire');
  around({
    before: deleteTeam,
    after: async () => void vi.spyOn(test.storage, 'remove').mockRejectedValueOnce(cause),
  });
  expect(await refusal(create())).toMatchObject({ ...MAYBE_LEFT, cause });
});

it('is created under no other name instead', async () => {
  const put = around({ before: deleteTeam });
  expect(await refusal(create({ name: '', generateName: 'one-' }))).toMatchObject(GONE);
  expect(put).toHaveBeenCalledTimes(1);
});

it('is not left by server-side apply', async () => {
  around({ before: deleteTeam });
  const applied = test.registry.apply(GIZMOS, ONE, gizmo('one', {}, { namespace: 'team' }), { manager: 'me' });
  expect(await refusal(applied)).toMatchObject(GONE);
  expect(await find()).toBeUndefined();
});

it('leaves no link to its owners', async () => {
  const { object: owner } = await create({ name: 'owner', namespace: 'default' });
  const { apiVersion, kind, metadata } = owner;
  const ownerReferences = [{ apiVersion, kind, name: 'owner', uid: metadata.uid ?? '' }];
  around({ before: deleteTeam });
  await refusal(create({ ownerReferences }));
  expect(await index.dependents(metadata.uid ?? '')).toEqual([]);
});

it('costs one more read of the namespace, after the put, and only where it can be deleted', async () => {
  const order: string[] = [];
  for (const name of ['get', 'create'] as const) {
    const call = test.storage[name] as (...given: unknown[]) => Promise<unknown>;
    vi.spyOn(test.storage, name).mockImplementation((async (...given: Parameters<Storage['get']>) => {
      order.push(`${name} ${given[0].plural}`);
      return call(...given);
    }) as never);
  }
  await create({ namespace: 'default' });
  await test.registry.create(GIZMOS, gizmo('two', {}, { namespace: 'team' }), { scope: 'all' });
  expect(order.splice(0)).toEqual(['create gizmos', 'create gizmos']);
  await create();
  expect(order).toEqual(['get namespaces', 'create gizmos', 'get namespaces']);
});
