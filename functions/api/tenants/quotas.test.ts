import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { withQuotas } from '../../../shared/kube-api/quota/quota-storage.ts';
import type { Storage } from '../../../shared/kube-api/storage/storage.ts';
import { systemRandom } from '../../../shared/random.ts';
import { createQuotaUsage } from '../../../shared/store/limits/quota-usage.ts';
import { createDynamoStorage } from '../../../shared/store/objects/dynamo-storage.ts';
import { createRawAesSealer } from '../../../shared/store/objects/sealer.ts';
import { interceptClient, startTestDatabase, type TestDatabase, testClock } from '../../../shared/store/test-table.ts';
import { binding, createTestApi, RBAC, user } from '../test-api.ts';

/** The hostile editor creates as much as possible. */

const CORE = '/api/v1/namespaces/default';
const MAPS = `${CORE}/configmaps`;
const QUOTAS = `${CORE}/resourcequotas`;

let database: TestDatabase;
let clock: ReturnType<typeof testClock>;
let calls: string[];
let failures: unknown[];
let fail: (name: string) => void;
let processes: ReturnType<typeof createTestApi>[];
let storage: Storage;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());
beforeEach(async () => {
  clock = testClock();
  [calls, failures] = [[], []];
  fail = () => {};
  const table = await database.makeTable();
  const client = interceptClient(database.client, (name) => {
    calls.push(name);
    fail(name);
  });
  const make = () => {
    const sealer = createRawAesSealer(new Uint8Array(32));
    const objects = createDynamoStorage({ client, table, clock, random: systemRandom, sealer });
    const usage = createQuotaUsage({ client, table, clock });
    return withQuotas(objects, { usage, clock, onFailure: (error) => failures.push(error) });
  };
  storage = make();
  processes = [make(), make()].map((each) => createTestApi(each, { clock, random: systemRandom }));
  await admin('POST', `${RBAC}/namespaces/default/rolebindings`, binding('editors', user('Editor'), 'edit'));
});

let turn = 0;
const through = () => processes[turn++ % processes.length] as ReturnType<typeof createTestApi>;
const admin = (...request: Parameters<ReturnType<typeof createTestApi>['admin']['ask']>) =>
  through().admin.ask(...request);
const editor = (...request: Parameters<ReturnType<typeof createTestApi>['admin']['ask']>) =>
  through()
    .user('Editor')
    .ask(...request);

const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const quota = (name: string, hard: Record<string, string | number>) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name },
  spec: { hard },
});
const limit = async (hard: Record<string, string | number>, name = 'small') => {
  const { code, body } = await admin('POST', QUOTAS, quota(name, hard));
  expect(code, body.message).toBe(201);
  clock.advance(11);
};
/** Writes as the controllers do, without what follows a request. */
const make = (name: string) =>
  storage.create(kinds.configMap, { ...map(name), metadata: { name, namespace: 'default' } }, undefined);
const numberOf = async () => (await admin('GET', MAPS)).body.items.length;

describe('a namespace with a quota', () => {
  it('contains no more objects than the limit, however many processes create some at once', async () => {
    await editor('POST', MAPS, map('before'));
    await limit({ 'count/configmaps': 7 });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => editor('POST', MAPS, map(`m${index}`))));
    expect(answers.filter(({ code }) => code === 201)).toHaveLength(6);
    expect(answers.filter(({ code }) => code === 403)).toHaveLength(34);
    expect(await numberOf()).toBe(7);
  });

  it('can have no object of a kind whose limit is null, and a deleted quota is returned', async () => {
    const unlimited = { ...quota('none', {}), spec: { hard: { configmaps: null } } };
    expect((await admin('POST', QUOTAS, unlimited)).body.spec.hard).toEqual({ configmaps: '0' });
    clock.advance(11);
    expect((await editor('POST', MAPS, map('one'))).code).toBe(403);
    const deleted = await admin('DELETE', `${QUOTAS}/none`);
    expect(deleted).toMatchObject({ code: 200, body: { kind: 'ResourceQuota', metadata: { name: 'none' } } });
  });

  it("reports the exceeded limit with Kubernetes' message", async () => {
    await limit({ 'count/configmaps': 1, configmaps: 2 });
    await editor('POST', MAPS, map('one'));
    const { code, body } = await editor('POST', MAPS, map('two'));
    expect([code, body.reason, body.message, body.details]).toEqual([
      403,
      'Forbidden',
      'configmaps "two" is forbidden: exceeded quota: small, requested: count/configmaps=1, used: count/configmaps=1, limited: count/configmaps=1',
      { name: 'two', kind: 'configmaps' },
    ]);
    expect((await editor('POST', `${MAPS}?dryRun=All`, map('two'))).body.message).toBe(body.message);
  });

  it('is limited for apply, generated names and the controllers, too', async () => {
    await limit({ 'count/configmaps': 0 });
    const generated = { ...map(''), metadata: { generateName: 'x-' } };
    expect((await editor('POST', MAPS, generated)).code).toBe(403);
    const apply = { 'content-type': 'application/apply-patch+yaml' };
    expect((await editor('PATCH', `${MAPS}/one?fieldManager=me`, map('one'), apply)).code).toBe(403);
    await expect(make('one')).rejects.toThrow('exceeded quota: small');
  });

  it('has room again after a deletion, or after a creation that was refused for another reason', async () => {
    await limit({ configmaps: 2 });
    await editor('POST', MAPS, map('one'));
    clock.advance(1);
    for (let again = 0; again < 5; again += 1) expect((await editor('POST', MAPS, map('one'))).code).toBe(409);
    expect((await editor('POST', MAPS, map('two'))).code).toBe(201);
    for (let again = 0; again < 5; again += 1) {
      expect((await editor('DELETE', `${MAPS}/two`)).code).toBe(200);
      expect((await editor('POST', MAPS, map('two'))).code).toBe(201);
      expect((await editor('POST', MAPS, map('three'))).code).toBe(403);
    }
    expect(failures).toEqual([]);
  });

  it('shows the used amounts in the status', async () => {
    await editor('POST', MAPS, map('one'));
    await limit({ 'count/configmaps': '5', secrets: 3 });
    await editor('POST', MAPS, map('two'));
    const { body } = await editor('GET', `${QUOTAS}/small`);
    expect(body.status).toEqual({
      hard: { 'count/configmaps': '5', secrets: '3' },
      used: { 'count/configmaps': '2', secrets: '0' },
    });
    const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const { body: shown } = await editor('GET', QUOTAS, undefined, table);
    expect(shown.rows[0].cells.slice(0, 3)).toEqual(['small', 'count/configmaps: 2/5, secrets: 0/3', '']);
  });

  it('is limited by each of its quotas, until the limit is raised', async () => {
    await limit({ configmaps: 5 }, 'large');
    await limit({ configmaps: 1 }, 'small');
    await editor('POST', MAPS, map('one'));
    expect((await editor('POST', MAPS, map('two'))).body.message).toContain('exceeded quota: small, ');
    const raised = { spec: { hard: { configmaps: 2 } } };
    expect((await admin('PATCH', `${QUOTAS}/small`, raised)).code).toBe(200);
    clock.advance(11);
    expect((await editor('POST', MAPS, map('two'))).code).toBe(201);
  });

  it('counts objects that were created while there was no quota', async () => {
    await limit({ configmaps: 5 });
    await editor('POST', MAPS, map('one'));
    await admin('DELETE', `${QUOTAS}/small`);
    clock.advance(11);
    for (let index = 0; index < 8; index += 1) await editor('POST', MAPS, map(`m${index}`));
    await limit({ configmaps: 9 });
    expect((await editor('POST', MAPS, map('two'))).code).toBe(403);
    expect((await editor('GET', `${QUOTAS}/small`)).body.status.used).toEqual({ configmaps: '9' });
  });

  it('corrects the count after a process died before it stored the object', async () => {
    await limit({ configmaps: 3 });
    await editor('POST', MAPS, map('one'));
    fail = (name) => {
      if (name === 'PutCommand') throw new Error('killed');
    };
    for (const name of ['two', 'three']) expect((await editor('POST', MAPS, map(name))).code).toBe(500);
    fail = () => {};
    // Not immediately, because the object may still be stored.
    expect((await editor('POST', MAPS, map('four'))).code).toBe(403);
    clock.advance(31);
    expect((await editor('POST', MAPS, map('four'))).code).toBe(201);
    expect((await editor('POST', MAPS, map('five'))).code).toBe(201);
    expect((await editor('POST', MAPS, map('six'))).code).toBe(403);
  });

  it('costs one write for each creation, and no query for repeated refusals', async () => {
    await limit({ configmaps: 2 });
    await make('one');
    calls = [];
    await make('two');
    expect(calls).toEqual(['UpdateCommand', 'UpdateCommand', 'PutCommand']);
    calls = [];
    for (let again = 0; again < 10; again += 1) await expect(make('three')).rejects.toThrow('exceeded quota');
    expect(calls.filter((name) => name === 'QueryCommand')).toEqual([]);
    expect(calls).toHaveLength(20);
  });
});

describe('a namespace without a quota', () => {
  it('costs two reads in ten seconds', async () => {
    calls = [];
    for (let index = 0; index < 5; index += 1) await make(`m${index}`);
    expect(calls.filter((name) => !['UpdateCommand', 'PutCommand'].includes(name))).toEqual([
      'GetCommand',
      'QueryCommand',
    ]);
  });
});

describe('an editor', () => {
  it('can read quotas but not write them', async () => {
    await limit({ configmaps: 1 });
    expect((await editor('GET', QUOTAS)).code).toBe(200);
    for (const [method, path, body] of [
      ['POST', QUOTAS, quota('mine', { configmaps: 100 })],
      ['PATCH', `${QUOTAS}/small`, { spec: { hard: { configmaps: 100 } } }],
      ['PATCH', `${QUOTAS}/small/status`, { status: { used: { configmaps: 0 } } }],
      ['DELETE', `${QUOTAS}/small`, undefined],
    ] as const)
      expect((await editor(method, path, body)).code, `${method} ${path}`).toBe(403);
  });
});

describe('a new namespace', () => {
  const NAMESPACES = '/api/v1/namespaces';
  const team = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } };

  it('gets the quota of the settings, which is deleted with the namespace', async () => {
    const api = createTestApi(storage, { clock, random: systemRandom, namespaceQuota: { 'count/configmaps': '1' } });
    expect((await api.admin.ask('POST', NAMESPACES, team)).code).toBe(201);
    const quotas = `${NAMESPACES}/team/resourcequotas`;
    const { body } = await api.admin.ask('GET', quotas);
    expect(body.items).toMatchObject([
      { metadata: { name: 'windlass-default' }, spec: { hard: { 'count/configmaps': '1' } } },
    ]);
    const maps = `${NAMESPACES}/team/configmaps`;
    const codes = [];
    for (const name of ['one', 'two']) codes.push((await api.admin.ask('POST', maps, map(name))).code);
    expect(codes).toEqual([201, 403]);
    expect((await api.admin.ask('DELETE', `${NAMESPACES}/team`)).code).toBe(200);
    expect((await storage.list(kinds.resourceQuota, { namespace: 'team' })).items).toEqual([]);
  });
});
