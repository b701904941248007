import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../object.ts';
import { createMemoryStorage } from '../storage/memory-storage.ts';
import { gizmo } from '../test-kinds.ts';
import { createTestServer, PATH } from './test-server.ts';

const MERGE = { 'content-type': 'application/merge-patch+json' };

let server: Awaited<ReturnType<typeof createTestServer>>;
beforeEach(async () => {
  server = await createTestServer();
});

/** A storage that counts how often its feeds are polled. */
const countingPolls = () => {
  let polls = 0;
  const storage = createMemoryStorage();
  const changes: typeof storage.changes = (...request) => {
    const feed = storage.changes(...request);
    const poll = () => {
      polls += 1;
      return feed.poll();
    };
    return { ...feed, poll };
  };
  return { storage: { ...storage, changes }, polls: () => polls };
};

interface WatchEvent {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: objects, tables and statuses, whose shape is what the tests assert.
  object: any;
}

const parse = (text: string): WatchEvent[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));

/** All events of a watch that runs until it times out, while `meanwhile` runs. */
const watch = async (query: string, meanwhile?: () => Promise<unknown>, headers = {}): Promise<WatchEvent[]> => {
  const response = await server.send('GET', `${PATH}?watch=true&${query}`, undefined, headers);
  expect(response.status).toBe(200);
  const text = response.text();
  await meanwhile?.();
  return parse(await text);
};
const brief = (events: WatchEvent[]) =>
  events.map(({ type, object }) => `${type} ${object.metadata?.name ?? ''}`.trim());
const version = async () => (await server.call('GET', PATH)).body.metadata.resourceVersion as string;
const create = (name: string, metadata: Partial<KubeObject['metadata']> = {}, spec = {}) =>
  server.call('POST', PATH, gizmo(name, spec, metadata));
const label = (name: string, labels: Record<string, string | null>) =>
  server.call('PATCH', `${PATH}/${name}`, { metadata: { labels } }, MERGE);

describe('a watch', () => {
  it('sends the changes after a version and ends in time', async () => {
    await create('old');
    const events = await watch(`resourceVersion=${await version()}&timeoutSeconds=2`, async () => {
      await create('one');
      await label('one', { a: 'b' });
      await server.call('DELETE', `${PATH}/one`);
    });
    expect(brief(events)).toEqual(['ADDED one', 'MODIFIED one', 'DELETED one']);
    const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
  });

  it.each(['', 'resourceVersion=0'])(
    'begins with the existing objects if no version is requested (%s)',
    async (query) => {
      await create('old');
      expect(brief(await watch(query, () => create('new')))).toEqual(['ADDED old', 'ADDED new']);
    },
  );

  it('sends a first byte immediately, and keep-alive bytes', async () => {
    server = await createTestServer({ watch: { pollMilliseconds: 100, maxSeconds: 2, keepAliveMilliseconds: 500 } });
    const response = await server.send('GET', `${PATH}?watch=true&resourceVersion=${await version()}`);
    expect(await response.text()).toMatch(/^ {3,6}$/);
  });

  it('contains only lines that are events, for clients that read line by line', async () => {
    server = await createTestServer({ watch: { pollMilliseconds: 100, maxSeconds: 2, keepAliveMilliseconds: 200 } });
    const response = await server.send('GET', `${PATH}?watch=true&resourceVersion=${await version()}`);
    const text = response.text();
    await create('one');
    const [event = '', ...rest] = (await text).split('\n');
    expect(JSON.parse(event)).toMatchObject({ type: 'ADDED' });
    expect(rest).toEqual([expect.stringMatching(/^ +$/)]);
  });

  it('of one name ignores the others', async () => {
    await create('one');
    const events = await watch(`resourceVersion=${await version()}&fieldSelector=metadata.name=one`, async () => {
      await create('two');
      await label('one', { a: 'b' });
      await server.call('DELETE', `${PATH}/one`);
    });
    expect(brief(events)).toEqual(['MODIFIED one', 'DELETED one']);
  });

  it('shows objects that start to match as added, and objects that stop matching as deleted', async () => {
    await create('in', { labels: { app: 'x' } });
    await create('out');
    const events = await watch(`resourceVersion=${await version()}&labelSelector=app=x`, async () => {
      await label('out', { other: 'y' });
      await label('out', { app: 'x' });
      await label('out', { other: null });
      await label('in', { app: null });
      await label('in', { other: 'z' });
    });
    expect(brief(events)).toEqual(['ADDED out', 'MODIFIED out', 'DELETED in']);
    // The event contains the object as it last matched, with the version at which it stopped matching.
    expect(events[2]?.object.metadata.labels).toEqual({ app: 'x' });
    const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
  });

  it('shows a deleted object as it was last stored, including its finalizers', async () => {
    await create('held', { finalizers: ['example.com/a'] });
    await server.call('DELETE', `${PATH}/held`);
    const events = await watch(`resourceVersion=${await version()}`, async () => {
      const released = { metadata: { finalizers: null, labels: { late: 'x' } } };
      await server.call('PATCH', `${PATH}/held`, released, MERGE);
    });
    expect(events).toMatchObject([{ type: 'DELETED', object: { metadata: { finalizers: ['example.com/a'] } } }]);
    expect(events[0]?.object.metadata.labels).toBeUndefined();
  });

  it('sends a bookmark of a table as an empty row', async () => {
    const accept = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const events = await watch('allowWatchBookmarks=true&resourceVersion=0', undefined, accept);
    expect(events[0]?.object).toMatchObject({
      kind: 'Table',
      metadata: { resourceVersion: await version() },
      rows: [
        {
          cells: ['', null, null, null, null, null],
          object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
        },
      ],
    });
  });

  it('sends a bookmark at the end to clients that request bookmarks', async () => {
    const events = await watch(`resourceVersion=${await version()}&allowWatchBookmarks=true`, () => create('one'));
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK']);
    expect(events[1]?.object).toEqual({
      kind: 'Gizmo',
      apiVersion: 'toys.windlass.dev/v1beta2',
      metadata: { resourceVersion: await version() },
    });
  });

  it('streams the initial list and marks its end (WatchList)', async () => {
    await create('old');
    const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=0';
    const events = await watch(query, () => create('new'));
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK', 'ADDED', 'BOOKMARK']);
    expect(events[1]?.object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
  });

  it.each(['', 'resourceVersion=0'])(
    'marks the end of the initial objects for clients that accept bookmarks (%s)',
    async (query) => {
      await create('old');
      const events = await watch(`${query}&allowWatchBookmarks=true`);
      expect(events.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK', 'BOOKMARK']);
      expect(events[1]?.object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
    },
  );

  it.each([
    ['sendInitialEvents=true', ['sendInitialEvents requires setting resourceVersionMatch to NotOlderThan']],
    ['continue=abc', ['resourceVersionMatch is forbidden when continue is provided']],
    [
      'resourceVersionMatch=Exact',
      [
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
        'supported values: "NotOlderThan"',
      ],
    ],
  ])('refuses %s', async (query, reasons) => {
    const { code, body } = await server.call('GET', `${PATH}?watch=true&${query}`);
    expect(code).toBe(422);
    expect(body.details.causes).toEqual(
      reasons.map((reason) => expect.objectContaining({ message: expect.stringContaining(reason) })),
    );
  });

  it('does not repeat the objects that it began with', async () => {
    const storage = createMemoryStorage();
    const list: typeof storage.list = async (...request) => ({
      ...(await storage.list(...request)),
      resourceVersion: '1',
    });
    server = await createTestServer({ storage: { ...storage, list } });
    await create('old');
    expect(brief(await watch('', () => label('old', { a: 'b' })))).toEqual(['ADDED old', 'MODIFIED old']);
  });

  it('answers an expired version with an ERROR event of code 410', async () => {
    server = await createTestServer({ storage: createMemoryStorage({ keepEvents: 1 }) });
    for (const name of ['one', 'two', 'three']) await create(name);
    const events = await watch('resourceVersion=2');
    expect(events).toMatchObject([{ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }]);
  });

  it('refuses versions that are not numbers before it begins', async () => {
    expect((await server.call('GET', `${PATH}?watch=true&resourceVersion=abc`)).code).toBe(400);
  });

  it('sends tables, with column definitions in the first only', async () => {
    const accept = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };
    await create('one');
    const events = await watch('', () => create('two'), accept);
    expect(events.map(({ object }) => object.kind)).toEqual(['Table', 'Table']);
    expect(events[0]?.object.columnDefinitions).toHaveLength(6);
    expect(events[1]?.object.columnDefinitions).toBeNull();
    expect(events[1]?.object.rows[0].cells[0]).toBe('two');
  });

  it('refuses an unsupported format before it begins', async () => {
    let opened = 0;
    server = await createTestServer({
      limitWatches: async () => {
        opened += 1;
        return async () => {};
      },
    });
    const accept = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const answer = await server.call('GET', `${PATH}?watch=true&includeObject=bad`, undefined, accept);
    expect(answer).toMatchObject({ code: 400, body: { reason: 'BadRequest' } });
    expect(answer.body.message).toContain('includeObject');
    expect(opened).toBe(0);
  });

  it('reports an error in the initial objects as an event, and ends', async () => {
    const storage = createMemoryStorage();
    const list: typeof storage.list = async (...request) => {
      const found = await storage.list(...request);
      const broken = {
        toJSON: () => {
          throw new Error('broken');
        },
      };
      return { ...found, items: found.items.map((item) => ({ ...item, spec: broken })) };
    };
    let ended = 0;
    const limitWatches = async () => async () => {
      ended += 1;
    };
    server = await createTestServer({ storage: { ...storage, list }, limitWatches });
    await create('one');
    expect(await watch('')).toMatchObject([{ type: 'ERROR', object: { kind: 'Status', code: 500 } }]);
    expect(ended).toBe(1);
  });

  it('stops polling when the client disconnects', async () => {
    const counted = countingPolls();
    server = await createTestServer({ storage: counted.storage, watch: { pollMilliseconds: 1, maxSeconds: 3600 } });
    const response = await server.send('GET', `${PATH}?watch=true&resourceVersion=${await version()}`);
    const reader = response.body?.getReader();
    await reader?.read();
    await create('one');
    await reader?.read();
    await reader?.cancel();
    const before = counted.polls();
    // A watch that was still open would poll once in each of these turns, because its waits take no time here.
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(counted.polls() - before).toBeLessThanOrEqual(1);
  });

  it('polls less often after a while without changes, and at the normal rate after a change', async () => {
    const counted = countingPolls();
    const quiet = { afterMilliseconds: 1_000, pollMilliseconds: 2_000 };
    const settings = { pollMilliseconds: 100, maxSeconds: 21, keepAliveMilliseconds: 1_000_000, quiet };
    server = await createTestServer({ storage: counted.storage, watch: settings });
    const [text] = await Promise.all([
      server.send('GET', `${PATH}?watch=true&resourceVersion=${await version()}`).then((response) => response.text()),
      create('one'),
    ]);
    expect(text).toContain('"name":"one"');
    // Ten polls in the first second, then one every two seconds for twenty seconds.
    expect(counted.polls()).toBeGreaterThanOrEqual(20);
    expect(counted.polls()).toBeLessThanOrEqual(23);
  });

  it('is refused if the client accepts only YAML', async () => {
    const { call } = await createTestServer();
    const { code, body } = await call('GET', `${PATH}?watch=true`, undefined, { accept: 'application/yaml' });
    expect({ code, reason: body.reason }).toEqual({ code: 406, reason: 'NotAcceptable' });
  });
});
