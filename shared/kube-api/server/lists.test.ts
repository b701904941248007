import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../object.ts';
import { createMemoryStorage } from '../storage/memory-storage.ts';
import { gizmo } from '../test-kinds.ts';
import { createTestServer, PATH } from './test-server.ts';

const ALL = '/apis/toys.windlass.dev/v1beta2/gizmos';
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };
const MERGE = { 'content-type': 'application/merge-patch+json' };

let { send, call, advance }: Awaited<ReturnType<typeof createTestServer>> = await createTestServer();
beforeEach(async () => {
  ({ send, call, advance } = await createTestServer());
});

const GIZMOS = { group: 'toys.windlass.dev', plural: 'gizmos' };

const countedStorage = () => {
  const storage = createMemoryStorage();
  let count = 0;
  const list: typeof storage.list = (resource, options) => {
    if (resource.plural === GIZMOS.plural) count += 1;
    return storage.list(resource, options);
  };
  return { storage: { ...storage, list }, lists: () => count };
};

const namesIn = (body: { items: KubeObject[] }) => body.items.map(({ metadata }) => metadata.name);

describe('lists', () => {
  beforeEach(async () => {
    await call('POST', PATH, gizmo('a', { mode: 'Fast' }, { labels: { app: 'x', tier: 'one' } }));
    await call('POST', PATH, gizmo('b', {}, { labels: { app: 'y' } }));
    await call('POST', PATH, gizmo('c', { mode: 'Fast' }));
    await call('POST', PATH.replace('default', 'kube-system'), gizmo('d', {}, { namespace: 'kube-system' }));
  });

  it('contain the objects of one namespace or of all', async () => {
    const { body } = await call('GET', PATH);
    expect(body).toMatchObject({ kind: 'GizmoList', apiVersion: 'toys.windlass.dev/v1beta2' });
    expect(body.metadata.resourceVersion).toMatch(/^\d+$/);
    expect(namesIn(body)).toEqual(['a', 'b', 'c']);
    expect(namesIn((await call('GET', ALL)).body)).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each([
    ['app=x', ['a']],
    ['app==y', ['b']],
    ['app!=x', ['b', 'c']],
    ['app in (x, y)', ['a', 'b']],
    ['app notin (x)', ['b', 'c']],
    ['app', ['a', 'b']],
    ['!app', ['c']],
    ['app in (x,y),tier', ['a']],
    ['app=x,tier!=one', []],
  ])('obey the label selector %s', async (selector, names) => {
    expect(namesIn((await call('GET', `${PATH}?labelSelector=${encodeURIComponent(selector)}`)).body)).toEqual(names);
  });

  it.each([
    ['metadata.name=b', ['b']],
    ['metadata.name!=b', ['a', 'c']],
    ['metadata.namespace=kube-system', []],
    ['spec.mode=Fast', ['a', 'c']],
    ['spec.mode=Fast,metadata.name=c', ['c']],
    ['metadata.name=nobody', []],
  ])('obey the field selector %s', async (selector, names) => {
    expect(namesIn((await call('GET', `${PATH}?fieldSelector=${encodeURIComponent(selector)}`)).body)).toEqual(names);
  });

  it('are refused for invalid and unsupported selectors', async () => {
    expect((await call('GET', `${PATH}?fieldSelector=spec.size=1`)).body.message).toBe(
      'field label not supported: spec.size',
    );
    expect((await call('GET', `${PATH}?labelSelector=a%20b`)).code).toBe(400);
    expect((await call('GET', `${PATH}?labelSelector=a=b%20c`)).code).toBe(400);
  });

  it('come in pages, also with a selector', async () => {
    const first = await call('GET', `${PATH}?limit=2`);
    expect(namesIn(first.body)).toEqual(['a', 'b']);
    expect(first.body.metadata.remainingItemCount).toBe(1);
    const second = await call('GET', `${PATH}?limit=2&continue=${first.body.metadata.continue}`);
    expect(namesIn(second.body)).toEqual(['c']);
    expect(second.body.metadata.continue).toBe('');
    const fast = await call('GET', `${PATH}?limit=2&fieldSelector=spec.mode=Fast`);
    expect(namesIn(fast.body)).toEqual(['a', 'c']);
    const wrong = await call('GET', `${PATH}?limit=2&continue=nonsense`);
    expect(wrong).toMatchObject({ code: 400, body: { reason: 'BadRequest' } });
    expect((await call('GET', `${PATH}?limit=many`)).code).toBe(400);
  });

  it.each([
    ['resourceVersionMatch=Exact', 422, 'resourceVersionMatch is forbidden unless resourceVersion is provided'],
    ['resourceVersion=0&resourceVersionMatch=Exact', 422, 'is forbidden for resourceVersion "0"'],
    ['resourceVersion=1&resourceVersionMatch=Newest', 422, 'supported values: "Exact", "NotOlderThan", ""'],
    ['resourceVersion=1&resourceVersionMatch=Exact', 410, 'The resourceVersion for the provided list is too old.'],
    ['resourceVersion=x', 400, 'invalid resource version'],
    ['sendInitialEvents=true', 422, 'sendInitialEvents is forbidden for list'],
    ['resourceVersion=99999', 504, 'Too large resource version: 99999, current: '],
  ])('answer %s with %d', async (query, code, message) => {
    const answer = await call('GET', `${PATH}?${query}`);
    expect(answer.code).toBe(code);
    expect(answer.body.message).toContain(message);
  });

  it('continue with the current state if the next page is requested too late', async () => {
    ({ send, call, advance } = await createTestServer({ storage: createMemoryStorage({ keepEvents: 1 }) }));
    for (const name of ['a', 'b', 'c']) await call('POST', PATH, gizmo(name));
    const first = await call('GET', `${PATH}?limit=1`);
    for (const name of ['d', 'e']) await call('POST', PATH, gizmo(name));
    const late = await call('GET', `${PATH}?continue=${first.body.metadata.continue}`);
    expect(late).toMatchObject({ code: 410, body: { reason: 'Expired', metadata: { continue: expect.any(String) } } });
    const rest = await call('GET', `${PATH}?continue=${late.body.metadata.continue}`);
    expect(namesIn(rest.body)).toEqual(['b', 'c', 'd', 'e']);
    expect(rest.body.metadata.resourceVersion).toBe((await call('GET', PATH)).body.metadata.resourceVersion);
  });

  it('are at least as new as the requested version', async () => {
    const { resourceVersion } = (await call('GET', PATH)).body.metadata;
    for (const match of ['NotOlderThan', 'Exact']) {
      const { body } = await call('GET', `${PATH}?resourceVersion=${resourceVersion}&resourceVersionMatch=${match}`);
      expect(body.metadata.resourceVersion).toBe(resourceVersion);
    }
    expect((await call('GET', `${PATH}?resourceVersion=1`)).code).toBe(200);
  });

  it('wait for a future version without reading the collection', async () => {
    const { storage, lists } = countedStorage();
    ({ send, call, advance } = await createTestServer({ storage }));
    expect((await call('GET', `${PATH}?resourceVersion=99999`)).code).toBe(504);
    expect(lists()).toBe(0);
    const { resourceVersion } = (await call('GET', PATH)).body.metadata;
    const waiting = call('GET', `${PATH}?resourceVersion=${Number(resourceVersion) + 1}`);
    await call('POST', PATH, gizmo('late'));
    expect(namesIn((await waiting).body)).toEqual(['late']);
    expect(lists()).toBe(2);
  });

  it('are read in large pages if few objects match, and end with the last object that is shown', async () => {
    const { storage, lists } = countedStorage();
    ({ send, call, advance } = await createTestServer({ storage }));
    for (let index = 1000; index < 1600; index += 1) {
      const labels: Record<string, string> = index % 199 === 0 ? { app: 'x' } : {};
      await storage.create(
        GIZMOS,
        { ...gizmo(`g-${index}`), metadata: { name: `g-${index}`, namespace: 'default', labels } },
        undefined,
      );
    }
    const before = lists();
    const first = await call('GET', `${PATH}?limit=1&labelSelector=app=x`);
    expect(namesIn(first.body)).toEqual(['g-1194']);
    const second = await call('GET', `${PATH}?limit=2&labelSelector=app=x&continue=${first.body.metadata.continue}`);
    expect(namesIn(second.body)).toEqual(['g-1393', 'g-1592']);
    const last = await call('GET', `${PATH}?limit=1&labelSelector=app=x&continue=${second.body.metadata.continue}`);
    expect(last.body).toMatchObject({ items: [], metadata: { resourceVersion: first.body.metadata.resourceVersion } });
    expect(namesIn((await call('GET', `${PATH}?limit=1&labelSelector=app=none`)).body)).toEqual([]);
    expect(lists() - before).toBeLessThan(10);
  });

  it('can be tables with the columns of the kind', async () => {
    const status = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
    await call('PATCH', `${PATH}/a/status`, status, MERGE);
    await call('PATCH', `${PATH}/a`, { metadata: { labels: { 'toys.windlass.dev/cluster-name': 'red' } } }, MERGE);
    advance(200_000);
    const { body } = await call('GET', `${PATH}?limit=500`, undefined, TABLE);
    expect(body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
    expect(
      body.columnDefinitions.map(({ name, priority }: { name: string; priority: number }) => [name, priority]),
    ).toEqual([
      ['Name', 0],
      ['Cluster', 0],
      ['Ready', 0],
      ['Size', 0],
      ['Age', 0],
      ['Version', 1],
    ]);
    expect(body.rows[0].cells).toEqual(['a', 'red', 'True', 1, '3m20s', 'v1.30']);
    expect(body.rows[1].cells).toEqual(['b', null, null, 1, '3m20s', 'v1.30']);
    expect(body.rows[0].object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'a' } });
    const whole = await call('GET', `${PATH}/a?includeObject=Object`, undefined, TABLE);
    expect(whole.body.rows[0].object.kind).toBe('Gizmo');
  });

  it('can contain metadata only', async () => {
    const accept = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };
    const { body } = await call('GET', PATH, undefined, accept);
    expect(body.kind).toBe('PartialObjectMetadataList');
    expect(body.items[0]).not.toHaveProperty('spec');
    const one = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };
    expect((await call('GET', `${PATH}/a`, undefined, one)).body.kind).toBe('PartialObjectMetadata');
  });

  it('use the older version of a format if the client requests only that, or requests it first', async () => {
    const older = (as: string) => `application/json;as=${as};v=v1beta1;g=meta.k8s.io`;
    const ask = (path: string, accept: string) => call('GET', path, undefined, { accept });
    const { body: table } = await ask(PATH, older('Table'));
    expect([table.apiVersion, table.rows[0].object.apiVersion]).toEqual(['meta.k8s.io/v1beta1', 'meta.k8s.io/v1beta1']);
    const { body: list } = await ask(PATH, older('PartialObjectMetadataList'));
    expect([list.apiVersion, list.items[0].apiVersion]).toEqual(['meta.k8s.io/v1beta1', 'meta.k8s.io/v1beta1']);
    expect((await ask(`${PATH}/a`, older('PartialObjectMetadata'))).body.apiVersion).toBe('meta.k8s.io/v1beta1');
    expect((await ask(PATH, `${older('Table')},${TABLE.accept}`)).body.apiVersion).toBe('meta.k8s.io/v1beta1');
    expect((await ask(PATH, `${TABLE.accept},${older('Table')}`)).body.apiVersion).toBe('meta.k8s.io/v1');
    expect((await ask(PATH, older('Table').replace('v1beta1', 'v1beta2'))).code).toBe(406);
  });

  it('can be YAML', async () => {
    const response = await send('GET', `${PATH}/a`, undefined, { accept: 'application/yaml' });
    expect(response.headers.get('content-type')).toBe('application/yaml');
    const text = await response.text();
    expect(text).toContain('kind: Gizmo\n');
    // YAML 1.1 parses an unquoted time as a timestamp.
    expect(text).toContain('creationTimestamp: "2026-01-02T03:04:05Z"\n');
  });
});
