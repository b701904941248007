import { beforeEach, describe, expect, it } from 'vitest';
import { KINDS } from '../../shared/kinds/index.ts';
import { createMemoryStorage } from '../../shared/kube-api/storage/memory-storage.ts';
import { silentLog } from '../../shared/log.ts';
import { CRDS, definition, WIDGETS, widget } from '../api/custom/test-widgets.ts';
import { ARN, createTestApi } from '../api/test-api.ts';
import { createWatchApi } from './app.ts';

/** The two functions over one storage: one streams what the other writes. */

const MAPS = '/api/v1/namespaces/default/configmaps';
const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

let world: ReturnType<typeof createTestApi>;
let ask: (path: string, name?: string, groups?: string[]) => Promise<Response>;

beforeEach(() => {
  const storage = createMemoryStorage();
  world = createTestApi(storage);
  let now = Date.parse('2026-01-02T03:04:05Z');
  const fetch = createWatchApi({
    kinds: KINDS,
    storage,
    clock: {
      now: () => new Date(now),
      sleep: async (milliseconds) => {
        now += milliseconds;
        await new Promise((resolve) => setImmediate(resolve));
      },
    },
    random: { bytes: (length) => new Uint8Array(length), uuid: () => 'uid' },
    log: silentLog,
    limitWatches: async ({ name }) => {
      if (name.endsWith('Greedy')) throw Object.assign(new Error('too many'), { name: 'Throttled' });
      return async () => {};
    },
  });
  ask = (path, name = 'WindlassAdmin', groups = ['system:masters']) =>
    fetch(new Request(`https://api${path}`), { name: ARN(name), groups: [...groups, 'system:authenticated'] });
});

describe('the function for watches', () => {
  it('streams what has changed since a version', async () => {
    const { body: first } = await world.admin.ask('POST', MAPS, map('one'));
    await world.admin.ask('POST', MAPS, map('two'));
    const { resourceVersion } = first.metadata;
    const answer = await ask(`/watches${MAPS}?watch=true&resourceVersion=${resourceVersion}&timeoutSeconds=2`);
    const lines = (await answer.text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { type: 'ADDED', object: { metadata: { name: 'two' } } },
    ]);
  });

  it('streams changes of custom resources', async () => {
    await world.admin.ask('POST', CRDS, definition());
    const { body: first } = await world.admin.ask('POST', WIDGETS, widget('one'));
    await world.admin.ask('POST', WIDGETS, widget('two'));
    const { resourceVersion } = first.metadata;
    const answer = await ask(`/watches${WIDGETS}?watch=true&resourceVersion=${resourceVersion}&timeoutSeconds=2`);
    const lines = (await answer.text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { type: 'ADDED', object: { kind: 'Widget', metadata: { name: 'two' }, spec: { size: 3 } } },
    ]);
    const unknown = '/watches/apis/example.com/v1/gadgets?watch=true&resourceVersion=7';
    expect((await ask(unknown)).status).toBe(404);
  });

  it('keeps a watch open for 14 minutes, even for clients that allow bookmarks', async () => {
    const { body: first } = await world.admin.ask('POST', MAPS, map('one'));
    const { resourceVersion } = first.metadata;
    const answer = await ask(`/watches${MAPS}?watch=true&resourceVersion=${resourceVersion}&allowWatchBookmarks=true`);
    const lines = (await answer.text()).trim().split('\n');
    // One per minute, and one at the end.
    expect(lines).toHaveLength(14);
    for (const line of lines) expect(JSON.parse(line).type).toBe('BOOKMARK');
  });

  it('refuses users who may not watch with the response of the API', async () => {
    const answer = await ask(`/watches${MAPS}?watch=true&resourceVersion=7`, 'Nobody', []);
    const same = await world.user('Nobody').send('GET', `${MAPS}?watch=true&resourceVersion=7`);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toEqual(await same.json());
  });

  it('limits the number of watches', async () => {
    expect((await ask(`/watches${MAPS}?watch=true&resourceVersion=7`, 'Greedy')).status).toBe(429);
  });

  it.each([
    ['a list', `/watches${MAPS}`],
    ['a watch that begins with a list', `/watches${MAPS}?watch=true`],
    ['Secrets', '/watches/api/v1/secrets?watch=true&resourceVersion=7'],
    ['a path without the prefix', `${MAPS}?watch=true&resourceVersion=7`],
    ['the prefix alone', '/watches'],
  ])('does not serve %s', async (_, path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ kind: 'Status', reason: 'NotFound' });
  });
});
