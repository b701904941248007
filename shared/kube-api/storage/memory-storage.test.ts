import { describe, expect, it } from 'vitest';
import { createMemoryStorage } from './memory-storage.ts';
import { describeStorage } from './storage-suite.ts';

describeStorage('memory', createMemoryStorage);

describe('the event history of a feed', () => {
  const widgets = { group: 'g', plural: 'widgets' };
  const widget = (name: string) => ({ apiVersion: 'g/v1', kind: 'Widget', metadata: { name, namespace: 'a' } });

  it('is limited: a version before the oldest kept event is expired, the one just before it is not', async () => {
    const storage = createMemoryStorage({ keepEvents: 2 });
    const versions: string[] = [];
    for (const name of ['one', 'two', 'three', 'four']) {
      versions.push((await storage.create(widgets, widget(name), undefined)).metadata.resourceVersion ?? '');
    }
    const poll = (after: string | undefined) => storage.changes(widgets, { after: after ?? '' }).poll();
    await expect(poll(versions[0])).rejects.toMatchObject({ name: 'Expired' });
    expect((await poll(versions[1])).map(({ object }) => object.metadata.name)).toEqual(['three', 'four']);
  });

  it('does not accept a future version', async () => {
    const feed = createMemoryStorage().changes(widgets, { after: '99' });
    await expect(feed.poll()).rejects.toMatchObject({ name: 'Expired' });
  });
});
