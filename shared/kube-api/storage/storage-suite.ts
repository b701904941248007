import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject, ResourceId } from '../object.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';
import { describeFeeds } from './feed-suite.ts';
import type { Storage } from './storage.ts';
import { GADGETS, versionOf, WIDGETS, widget } from './test-widgets.ts';

/** Cluster-scoped in these tests: its objects have no namespace. */
const REGIONS: ResourceId = { group: '', plural: 'regions' };

const namesOf = (items: KubeObject[]): string[] =>
  items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);

/** The rules of `Storage` for every implementation. `makeStorage` returns an empty storage each time. */
export const describeStorage = (name: string, makeStorage: () => Storage | Promise<Storage>): void => {
  describe(`storage contract: ${name}`, () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await makeStorage();
    });
    describeObjects(() => storage);
    describeLists(() => storage);
    describeFeeds(() => storage);
  });
};

const describeObjects = (storage: () => Storage): void => {
  it('returns what was created, with a positive integer as resourceVersion', async () => {
    const created = await storage().create(WIDGETS, widget('one'), undefined);
    expect(created).toEqual({
      ...widget('one'),
      metadata: { ...widget('one').metadata, resourceVersion: expect.stringMatching(/^[1-9]\d*$/) },
    });
    expect(await storage().get(WIDGETS, 'a', 'one')).toEqual(created);
  });

  it('distinguishes objects by resource type, namespace and name', async () => {
    await storage().create(WIDGETS, widget('one'), undefined);
    await storage().create(WIDGETS, widget('one', 'b', 2), undefined);
    await storage().create(GADGETS, widget('one', 'a', 3), undefined);
    expect(await storage().get(WIDGETS, 'b', 'one')).toMatchObject({ spec: { size: 2 } });
    expect(await storage().get(GADGETS, 'a', 'one')).toMatchObject({ spec: { size: 3 } });
    expect(await storage().get(GADGETS, 'b', 'one')).toBeUndefined();
  });

  it('keeps cluster-scoped objects under the empty namespace', async () => {
    const region: KubeObject = { apiVersion: 'v1', kind: 'Region', metadata: { name: 'north' } };
    await storage().create(REGIONS, region, undefined);
    expect((await storage().get(REGIONS, '', 'north'))?.metadata.namespace).toBeUndefined();
    expect((await storage().list(REGIONS, {})).items).toHaveLength(1);
  });

  it('keeps text of any script, empty values and large bodies as they are', async () => {
    const object = {
      ...widget('one'),
      spec: { text: 'Grüße 🐳 \u0000', empty: '', none: null, list: [], big: 'x'.repeat(50_000) },
    };
    await storage().create(WIDGETS, object, undefined);
    expect(await storage().get(WIDGETS, 'a', 'one')).toMatchObject({ spec: object.spec });
  });

  it('is not changed when callers modify objects', async () => {
    const given = widget('one');
    const created = await storage().create(WIDGETS, given, undefined);
    given.metadata.labels = { size: 'changed' };
    // A storage may return its stored objects, frozen.
    if (!Object.isFrozen(created.metadata)) created.metadata.labels = { size: 'changed' };
    expect((await storage().get(WIDGETS, 'a', 'one'))?.metadata.labels).toEqual({ size: '1' });
  });

  it('refuses to create a name twice', async () => {
    await storage().create(WIDGETS, widget('one'), undefined);
    await expect(storage().create(WIDGETS, widget('one'), undefined)).rejects.toMatchObject({ name: 'AlreadyExists' });
  });

  it('creates a name again after its removal', async () => {
    const first = await storage().create(WIDGETS, widget('one'), undefined);
    const removed = await storage().remove(WIDGETS, first);
    expect(versionOf(removed)).toBeGreaterThan(versionOf(first));
    expect(await storage().get(WIDGETS, 'a', 'one')).toBeUndefined();
    const second = await storage().create(WIDGETS, widget('one'), undefined);
    expect(versionOf(second)).toBeGreaterThan(versionOf(removed));
  });

  it('raises the version with every write of a resource type', async () => {
    const one = await storage().create(WIDGETS, widget('one'), undefined);
    const two = await storage().create(WIDGETS, widget('two'), undefined);
    const changed = await storage().update(WIDGETS, { ...one, ...{ spec: { size: 5 } } }, undefined);
    expect(versionOf(two)).toBeGreaterThan(versionOf(one));
    expect(versionOf(changed)).toBeGreaterThan(versionOf(two));
    expect(await storage().get(WIDGETS, 'a', 'one')).toEqual(changed);
  });

  it('refuses a write of a version that is not the newest', async () => {
    const old = await storage().create(WIDGETS, widget('one'), undefined);
    await storage().update(WIDGETS, old, undefined);
    await expect(storage().update(WIDGETS, old, undefined)).rejects.toMatchObject({ name: 'Conflict' });
    await expect(storage().remove(WIDGETS, old)).rejects.toMatchObject({ name: 'Conflict' });
  });

  it('refuses to write or remove an object that does not exist', async () => {
    const object = await storage().create(WIDGETS, widget('one'), undefined);
    await storage().remove(WIDGETS, object);
    await expect(storage().update(WIDGETS, object, undefined)).rejects.toMatchObject({ name: 'NotFound' });
    await expect(storage().remove(WIDGETS, object)).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('lets exactly one of several writers of the same version succeed', async () => {
    const object = await storage().create(WIDGETS, widget('one'), undefined);
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => storage().update(WIDGETS, object, undefined)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason.name).toBe('Conflict');
  });
};

const describeLists = (storage: () => Storage): void => {
  const seed = async (): Promise<void> => {
    await storage().create(WIDGETS, widget('c', 'a'), 'red');
    await storage().create(WIDGETS, widget('a', 'b'), 'red');
    await storage().create(WIDGETS, widget('a', 'a'), 'red');
    await storage().create(WIDGETS, widget('b', 'a'), 'blue');
    await storage().create(WIDGETS, widget('x', 'a-b'), undefined);
    await storage().create(GADGETS, widget('a', 'a'), 'red');
  };

  it('returns an empty list with a version from which a watch can start', async () => {
    const list = await storage().list(WIDGETS, {});
    expect(list.items).toEqual([]);
    expect(list.resourceVersion).toMatch(/^[1-9]\d*$/);
    expect(list.continue).toBeUndefined();
    const feed = storage().changes(WIDGETS, { after: list.resourceVersion });
    await storage().create(WIDGETS, widget('one'), undefined);
    expect((await feed.poll()).map(({ type }) => type)).toEqual(['ADDED']);
  });

  it('lists by namespace and name', async () => {
    await seed();
    expect(namesOf((await storage().list(WIDGETS, {})).items)).toEqual(['a/a', 'a/b', 'a/c', 'a-b/x', 'b/a']);
    expect(namesOf((await storage().list(WIDGETS, { namespace: 'a' })).items)).toEqual(['a/a', 'a/b', 'a/c']);
    expect((await storage().list(WIDGETS, { namespace: 'none' })).items).toEqual([]);
    const some = { namespaces: ['b', 'a-b', 'none'], isEventual: true };
    expect(namesOf((await storage().list(WIDGETS, some)).items).sort()).toEqual(['a-b/x', 'b/a']);
  });

  it('lists the objects of one cluster', async () => {
    await seed();
    const { items } = await storage().list(WIDGETS, { namespace: 'a', cluster: 'red' });
    expect(namesOf(items)).toEqual(['a/a', 'a/c']);
  });

  it('moves an object between clusters with an update', async () => {
    const object = await storage().create(WIDGETS, widget('one'), 'red');
    await storage().update(WIDGETS, object, 'blue');
    expect((await storage().list(WIDGETS, { namespace: 'a', cluster: 'red' })).items).toEqual([]);
    expect((await storage().list(WIDGETS, { namespace: 'a', cluster: 'blue' })).items).toHaveLength(1);
  });

  it.each([undefined, 'a'])('returns pages that together form the whole list (namespace %s)', async (namespace) => {
    await seed();
    const whole = await storage().list(WIDGETS, { namespace });
    const seen: string[] = [];
    let token: string | undefined;
    let pages = 0;
    do {
      const page = await storage().list(WIDGETS, { namespace, limit: 2, continue: token });
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...namesOf(page.items));
      token = page.continue;
      pages += 1;
    } while (token !== undefined && pages < 10);
    expect(seen).toEqual(namesOf(whole.items));
  });

  it('keeps the version of the first page, so that a watch misses no change between pages', async () => {
    await seed();
    const first = await storage().list(WIDGETS, { limit: 2 });
    await storage().create(WIDGETS, widget('0', 'a'), undefined);
    const second = await storage().list(WIDGETS, { limit: 2, continue: first.continue });
    const feed = storage().changes(WIDGETS, { after: second.resourceVersion });
    expect((await feed.poll()).map(({ object }) => object.metadata.name)).toEqual(['0']);
  });

  it('continues with the current state if a continue token contains no version', async () => {
    for (const name of ['one', 'three', 'two']) await storage().create(WIDGETS, widget(name), undefined);
    const first = await storage().list(WIDGETS, { namespace: 'a', limit: 1 });
    const { after } = decodeContinue(first.continue ?? '');
    await storage().create(WIDGETS, widget('zoe'), undefined);
    const token = encodeContinue({ resourceVersion: '-1', after });
    const rest = await storage().list(WIDGETS, { namespace: 'a', continue: token });
    expect(namesOf(rest.items)).toEqual(['a/three', 'a/two', 'a/zoe']);
    expect(rest.resourceVersion).toBe((await storage().list(WIDGETS, { namespace: 'a' })).resourceVersion);
  });

  it('answers an invalid continue token with Expired', async () => {
    await expect(storage().list(WIDGETS, { limit: 1, continue: 'nonsense' })).rejects.toMatchObject({
      name: 'Expired',
    });
  });
};
