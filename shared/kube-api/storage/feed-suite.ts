import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../object.ts';
import type { Storage, StorageEvent } from './storage.ts';
import { GADGETS, versionOf, WIDGETS, widget } from './test-widgets.ts';

/** The last event for each object: a feed may combine several changes of one object between two polls. */
const lastOf = (events: StorageEvent[]): Record<string, string> =>
  Object.fromEntries(events.map(({ type, object }) => [object.metadata.name, `${type} ${versionOf(object)}`]));

/** The rules of `Storage` for feeds. */
export const describeFeeds = (storage: () => Storage): void => {
  const start = async (namespace?: string) =>
    storage().changes(WIDGETS, { namespace, after: (await storage().list(WIDGETS, {})).resourceVersion });

  it('sends each change once, in order, with the object as it was written', async () => {
    const feed = await start();
    expect(await feed.poll()).toEqual([]);
    const created = await storage().create(WIDGETS, widget('one'), undefined);
    expect(await feed.poll()).toEqual([{ type: 'ADDED', object: created }]);
    const changed = await storage().update(WIDGETS, { ...created, ...{ spec: { size: 2 } } }, undefined);
    const [change, ...others] = await feed.poll();
    expect(others).toEqual([]);
    expect(change).toEqual({ type: 'MODIFIED', object: changed, previous: expect.anything() });
    expect(change?.previous?.[0]?.metadata.labels).toEqual(created.metadata.labels);
    const removed = await storage().remove(WIDGETS, changed);
    const [event, ...more] = await feed.poll();
    expect(more).toEqual([]);
    expect(event?.type).toBe('DELETED');
    expect(event?.object.metadata).toMatchObject({
      name: 'one',
      namespace: 'a',
      uid: 'uid-a-one',
      labels: { size: '1' },
    });
    expect(event && versionOf(event.object)).toBe(versionOf(removed));
    expect(await feed.poll()).toEqual([]);
  });

  it('reports the selectable values that an object had at the position of the feed', async () => {
    const created = await storage().create(WIDGETS, widget('one'), undefined);
    const feed = await start();
    const relabelled = { ...created, metadata: { ...created.metadata, labels: { size: 'other' } } };
    const former = { parts: { '.metadata.labels': { size: '1' } } };
    await storage().update(WIDGETS, relabelled, undefined, former);
    const [event] = await feed.poll();
    expect(event).toMatchObject({ type: 'MODIFIED', previous: [{ metadata: { labels: { size: '1' } } }] });
  });

  it('ends at the newest state of each object when several changes occur between two polls', async () => {
    const feed = await start();
    const one = await storage().create(WIDGETS, widget('one'), undefined);
    const two = await storage().create(WIDGETS, widget('two'), undefined);
    const newer = await storage().update(WIDGETS, one, undefined);
    const events = await feed.poll();
    expect(lastOf(events)).toEqual({
      one: expect.stringMatching(new RegExp(`^(ADDED|MODIFIED) ${versionOf(newer)}$`)),
      two: `ADDED ${versionOf(two)}`,
    });
    const versions = events.map(({ object }) => versionOf(object));
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
  });

  it('starts after the version of an object', async () => {
    const one = await storage().create(WIDGETS, widget('one'), undefined);
    await storage().create(WIDGETS, widget('two'), undefined);
    const feed = storage().changes(WIDGETS, { after: one.metadata.resourceVersion ?? '' });
    expect((await feed.poll()).map(({ object }) => object.metadata.name)).toEqual(['two']);
  });

  it('shows one namespace and one resource type only', async () => {
    const feed = await start('a');
    await storage().create(WIDGETS, widget('one', 'b'), undefined);
    await storage().create(GADGETS, widget('two', 'a'), undefined);
    await storage().create(WIDGETS, widget('three', 'a'), undefined);
    expect((await feed.poll()).map(({ object }) => object.metadata.name)).toEqual(['three']);
  });

  it('can be resumed at the position of another feed', async () => {
    const feed = await start();
    await storage().create(WIDGETS, widget('one'), undefined);
    await feed.poll();
    await storage().create(WIDGETS, widget('two'), undefined);
    const next = storage().changes(WIDGETS, { after: feed.resourceVersion });
    const names = (await next.poll()).map(({ object }) => object.metadata.name);
    // A bookmark may be slightly before the newest change, but never after one that was not sent.
    expect(names.at(-1)).toBe('two');
  });

  it('reports a removal and a creation under the same name', async () => {
    const old = await storage().create(WIDGETS, widget('one'), undefined);
    const feed = await start();
    await storage().remove(WIDGETS, old);
    const again = { ...widget('one'), metadata: { ...widget('one').metadata, uid: 'another' } };
    const created = await storage().create(WIDGETS, again, undefined);
    const last = (await feed.poll()).at(-1);
    expect(last?.object.metadata).toMatchObject({ uid: 'another', resourceVersion: String(versionOf(created)) });
  });

  describe('after a removal and a creation under the same name', () => {
    /** The labels and uids that a feed shows as the past of a name, including what it shows as deleted. */
    const pastOf = async (after: KubeObject): Promise<unknown[]> => {
      const feed = storage().changes(WIDGETS, { after: after.metadata.resourceVersion ?? '' });
      const states = (await feed.poll()).flatMap(({ type, object, previous = [], uncertain }) => [
        ...(type === 'DELETED' ? [object] : []),
        ...(uncertain ? ['uncertain'] : previous),
      ]);
      const seen = states.map((state) =>
        typeof state === 'string' ? state : `${state.metadata.uid} ${state.metadata.labels?.size}`,
      );
      return [...new Set(seen)];
    };
    const labelled = (uid: string, size: string): KubeObject => {
      const { metadata, ...object } = widget('one');
      return { ...object, metadata: { ...metadata, uid, labels: { size } } };
    };
    const formerOf = ({ metadata: { labels } }: KubeObject) => ({ parts: { '.metadata.labels': labels } });

    it('reports the selectable values and the uids of all objects that had the name since its position', async () => {
      const start = await storage().create(WIDGETS, widget('start'), undefined);
      const first = await storage().create(WIDGETS, labelled('first', 'a'), undefined, formerOf);
      const relabelled = { ...labelled('first', 'b'), metadata: { ...first.metadata, labels: { size: 'b' } } };
      const changed = await storage().update(WIDGETS, relabelled, undefined, formerOf(first));
      await storage().remove(WIDGETS, changed);
      const second = await storage().create(WIDGETS, labelled('second', 'c'), undefined, formerOf);
      await storage().remove(WIDGETS, second);
      const third = await storage().create(WIDGETS, labelled('third', 'd'), undefined, formerOf);
      expect((await pastOf(start)).sort()).toEqual(['first a', 'first b', 'second c']);
      expect((await pastOf(changed)).sort()).toEqual(['first b', 'second c']);
      expect(await pastOf(second)).toEqual(['second c']);
      expect(await pastOf(third)).toEqual([]);
    });
  });
};
