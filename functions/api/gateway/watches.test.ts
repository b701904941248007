import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KINDS } from '../../../shared/kinds/index.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { jsonLog } from '../../../shared/log.ts';
import { systemRandom } from '../../../shared/random.ts';
import { createWatchSlots } from '../../../shared/store/limits/watch-slots.ts';
import { interceptClient, startTestDatabase, type TestDatabase, testClock } from '../../../shared/store/test-table.ts';
import { ARN, binding, clusterBinding, createTestApi, RBAC, user } from '../test-api.ts';
import { makeLimitWatches, type WatchLimits } from './limit-watches.ts';

/** The hostile editor opens watches and keeps them open: each occupies a running function, which costs money. */

const MACHINES = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines';
const WATCH = `${MACHINES}?watch=true&resourceVersion=1`;

let database: TestDatabase;
let clock: ReturnType<typeof testClock>;
let lines: string[];
let writes: string[];
let open: Response[];

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());
beforeEach(() => {
  clock = testClock();
  [lines, writes, open] = [[], [], []];
});
afterEach(() => Promise.all(open.map(({ body }) => body?.cancel())));

/** An installation with these limits, in which `Editor` and `Other` may edit the default namespace. */
const makeWorld = async (limits: WatchLimits) => {
  const table = await database.makeTable();
  const client = interceptClient(database.client, (name) => void writes.push(name));
  // Lambda may start any number of processes; each has its own slots in the same table.
  const limitWatches = (): ReturnType<typeof makeLimitWatches> =>
    makeLimitWatches(
      createWatchSlots({ client, table, clock, random: systemRandom, log: jsonLog((line) => lines.push(line)) }),
      limits,
    );
  const storage = createMemoryStorage();
  const processes = [0, 1, 2].map(() => createTestApi(storage, { limitWatches: limitWatches(), clock }));
  const [first] = processes as [(typeof processes)[0]];
  for (const name of ['Editor', 'Other'])
    await first.admin.ask(
      'POST',
      `${RBAC}/namespaces/default/rolebindings`,
      binding(name.toLowerCase(), user(name), 'edit'),
    );
  let turn = 0;
  return async (who: string, path = WATCH, headers: Record<string, string> = {}): Promise<Response> => {
    turn += 1;
    const through = processes[turn % processes.length] as (typeof processes)[0];
    const groups = who === 'WindlassAdmin' ? ['system:masters'] : [];
    const response = await through.user(who, groups).send('GET', path, undefined, headers);
    if (response.ok) open.push(response);
    return response;
  };
};
const codes = (responses: Response[]) => responses.map(({ status }) => status).sort();

describe('an editor who opens watches', () => {
  it('has at most as many open watches as the limit allows, whatever the number of processes and concurrent requests', async () => {
    const watch = await makeWorld({ perPrincipal: 5, all: undefined });
    const answers = await Promise.all(Array.from({ length: 30 }, () => watch('Editor')));
    expect(codes(answers)).toEqual([...Array(5).fill(200), ...Array(25).fill(429)]);
    expect((await watch('Other')).status).toBe(200);
  });

  it("gets Kubernetes' message and a time to retry beyond the limit", async () => {
    const watch = await makeWorld({ perPrincipal: 1, all: undefined });
    await watch('Editor');
    const refused = await watch('Editor');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(await refused.json()).toMatchObject({
      kind: 'Status',
      reason: 'TooManyRequests',
      code: 429,
      message: expect.stringContaining(`too many watches: User "${ARN('Editor')}" has reached the limit of 1 open`),
      details: { retryAfterSeconds: 10 },
    });
  });

  it('may open another watch after one has ended, was cancelled or was invalid', async () => {
    const watch = await makeWorld({ perPrincipal: 1, all: 1 });
    const first = await watch('Editor');
    expect((await watch('Editor')).status).toBe(429);
    await first.body?.cancel();
    expect((await watch('Editor', `${WATCH}&labelSelector=%3D%3D`)).status).toBe(400);
    const second = await watch('Editor', `${WATCH}&timeoutSeconds=1`);
    expect(second.status).toBe(200);
    const reader = second.body?.getReader();
    for (;;) {
      const next = await reader?.read();
      if (next === undefined || next.done) break;
      clock.advance(2);
    }
    reader?.releaseLock();
    expect((await watch('Editor')).status).toBe(200);
    expect(lines).toEqual([]);
  });

  it('gets the slots of crashed processes back once their streams must have ended', async () => {
    const watch = await makeWorld({ perPrincipal: 2, all: undefined });
    await watch('Editor');
    await watch('Editor', `${WATCH}&allowWatchBookmarks=true`);
    clock.advance(6 * 60);
    expect([(await watch('Editor')).status, (await watch('Editor')).status]).toEqual([200, 429]);
    clock.advance(15 * 60);
    expect([(await watch('Editor')).status, (await watch('Editor')).status]).toEqual([200, 200]);
  });

  it('cannot bypass the limit by impersonation', async () => {
    const watch = await makeWorld({ perPrincipal: 1, all: undefined });
    expect((await watch('WindlassAdmin')).status).toBe(200);
    expect((await watch('WindlassAdmin', WATCH, { 'impersonate-user': ARN('Editor') })).status).toBe(429);
  });

  it('is limited by the total of all users, and takes no slot when none is free', async () => {
    const watch = await makeWorld({ perPrincipal: 3, all: 4 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => watch('Editor')));
    expect(codes(answers)).toEqual([200, 200, 200, 429, 429, 429]);
    expect((await watch('Other')).status).toBe(200);
    const refused = await watch('Other');
    expect(await refused.json()).toMatchObject({
      code: 429,
      message: expect.stringContaining('the limit of 4 open watches'),
    });
    await open[0]?.body?.cancel();
    expect((await watch('Other')).status).toBe(200);
  });

  it('causes two writes per watch, or one write and one query if a watch is refused', async () => {
    const watch = await makeWorld({ perPrincipal: 1, all: undefined });
    await (await watch('Editor')).body?.cancel();
    expect(writes).toEqual(['PutCommand', 'DeleteCommand']);
    await watch('Editor');
    writes = [];
    await watch('Editor');
    expect(writes).toEqual(['PutCommand', 'QueryCommand']);
  });
});

describe('a principal without any binding', () => {
  it('can open no watch, and takes no slot', async () => {
    const watch = await makeWorld({ perPrincipal: 40, all: undefined });
    for (const { group, version, plural, namespaced } of KINDS) {
      const root = group === '' ? '/api/v1' : `/apis/${group}/${version}`;
      for (const where of namespaced ? ['/', '/namespaces/default/'] : ['/'])
        expect((await watch('Nobody', `${root}${where}${plural}?watch=true`)).status, plural).toBe(403);
    }
    expect(writes).toEqual([]);
  });
});

describe('a watch', () => {
  const lasts = async (query: string): Promise<number> => {
    const world = createTestApi();
    const token = clusterBinding('viewers', user('Viewer'), 'view');
    await world.admin.ask('POST', `${RBAC}/clusterrolebindings`, token);
    const before = world.wait(0);
    await (await world.user('Viewer').send('GET', `${WATCH}${query}`)).text();
    return Math.round((world.wait(0) - before) / 1000);
  };

  it('lasts five minutes for a client that resumes by itself, and fourteen for all others', async () => {
    expect(await lasts('&allowWatchBookmarks=true&timeoutSeconds=500')).toBe(300);
    expect(await lasts('')).toBe(840);
  });

  it('ends after the time that its client requests', async () => {
    expect(await lasts('&timeoutSeconds=20')).toBe(20);
    expect(await lasts('&timeoutSeconds=20&allowWatchBookmarks=true')).toBe(20);
  });
});
