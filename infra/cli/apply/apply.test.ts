import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { KINDS } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { ensureNamespaces } from '../../../shared/kube-api/registry/namespaces.ts';
import { createApiServer } from '../../../shared/kube-api/server/api-server.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { systemRandom } from '../../../shared/random.ts';
import { type Api, ApiError, statusOf } from '../api/client.ts';
import { apply, applyOne } from './apply.ts';
import type { Manifest } from './manifest.ts';

/** The real API server over memory. */
const startApi = async (): Promise<Api> => {
  const server = createApiServer({
    resources: KINDS,
    storage: createMemoryStorage(),
    clock: systemClock,
    random: systemRandom,
    version: 'v1.34.0',
    watch: { pollMilliseconds: 100, maxSeconds: 1 },
  });
  await ensureNamespaces(server.registry);
  return {
    send: async <T>(method: string, path: string, body?: unknown, contentType = 'application/json') => {
      const headers = { 'content-type': contentType };
      const request = new Request(`http://api${path}`, {
        method,
        headers,
        body: body && JSON.stringify(body),
      } as RequestInit);
      const response = await server.fetch(request, { name: 'test', groups: ['system:masters'] });
      if (!response.ok) throw new ApiError(statusOf({ code: response.status, text: await response.text() }));
      return (await response.json()) as T;
    },
    close: () => {},
  };
};

const configMap = (data: Record<string, string>, name = 'settings'): Manifest => ({
  file: 'file.yaml',
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data } as Manifest['object'],
});

const dataOf = async (api: Api) =>
  (await api.send<{ data: object }>('GET', '/api/v1/namespaces/default/configmaps/settings')).data;

describe('apply', () => {
  it('creates, changes or keeps objects, and reports which', async () => {
    const api = await startApi();
    const lines: string[] = [];
    const run = (manifest: Manifest) => apply(api, [manifest], (line) => lines.push(line));

    await run(configMap({ a: '1', b: '1' }));
    await run(configMap({ a: '1', b: '1' }));
    await run(configMap({ a: '2' }));

    expect(lines).toEqual([
      'configmap/settings created',
      'configmap/settings unchanged',
      'configmap/settings configured',
    ]);
    expect(await dataOf(api)).toEqual({ a: '2' });
  });

  it('keeps fields that others have set', async () => {
    const api = await startApi();
    await apply(api, [configMap({ a: '1' })], () => {});
    const path = '/api/v1/namespaces/default/configmaps/settings';
    await api.send('PATCH', path, { data: { theirs: 'x' } }, 'application/merge-patch+json');

    await apply(api, [configMap({ a: '2' })], () => {});

    expect(await dataOf(api)).toEqual({ a: '2', theirs: 'x' });
  });

  it('reports a refusal like kubectl, with field paths, and applies all other objects', async () => {
    const api = await startApi();
    const cluster = {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name: 'demo' },
      spec: { clusterNetwork: { pods: { cidrBlocks: ['not-a-range'] } } },
    } as Manifest['object'];

    const refusals = await apply(api, [{ file: 'bad.yaml', object: cluster }, configMap({ a: '1' })], () => {});

    expect(refusals).toHaveLength(1);
    expect(refusals[0]).toMatch(/^The Cluster "demo" is invalid: .*spec\.clusterNetwork\.pods\.cidrBlocks/s);
    expect(await dataOf(api)).toEqual({ a: '1' });
  });

  it('refuses an unknown field and names it', async () => {
    const api = await startApi();
    const object = { ...configMap({}).object, dat: {} } as Manifest['object'];

    expect(await apply(api, [{ file: 'bad.yaml', object }], () => {})).toEqual([
      expect.stringMatching(
        /^Error from server \(BadRequest\): error when applying "bad\.yaml": .*unknown field "dat"/,
      ),
    ]);
  });

  it.each(['example.com/v1', 'v1'])('names a kind that the API does not serve in %s', async (apiVersion) => {
    const object = { apiVersion, kind: 'Widget', metadata: { name: 'w' } };

    const refusals = await apply(await startApi(), [{ file: 'w.yaml', object }], () => {});

    expect(refusals).toEqual([expect.stringContaining(`no matches for kind "Widget" in version "${apiVersion}"`)]);
  });

  it('writes the annotation of the last apply as kubectl does', async () => {
    const api = await startApi();
    await apply(api, [configMap({ b: '<&>', '10': 'x', '9': 'y' })], () => {});

    const { metadata } = await api.send<KubeObject>('GET', '/api/v1/namespaces/default/configmaps/settings');
    expect(metadata.annotations).toEqual({
      'kubectl.kubernetes.io/last-applied-configuration':
        '{"apiVersion":"v1","data":{"10":"x","9":"y","b":"\\u003c\\u0026\\u003e"},"kind":"ConfigMap",' +
        '"metadata":{"annotations":{},"name":"settings","namespace":"default"}}\n',
    });
  });

  it('reports no change if only the annotation of the last apply is missing', async () => {
    const api = await startApi();
    const { object } = configMap({ a: '1' });
    const path = '/api/v1/namespaces/default/configmaps';
    await api.send('POST', path, object);
    const resource = { group: '', plural: 'configmaps', namespaced: true, base: '/api/v1' };
    const dryRun = (wanted: Manifest) => applyOne(api, resource, wanted.object, { dryRun: true });

    const same = await dryRun(configMap({ a: '1' }));
    const other = await dryRun(configMap({ a: '2' }));

    expect([same.outcome, other.outcome]).toEqual(['unchanged', 'configured']);
    expect(same.object).toEqual(await api.send('GET', `${path}/settings`));
  });

  it('names a nonexistent namespace', async () => {
    const manifest = configMap({});
    manifest.object.metadata.namespace = 'nowhere';

    expect(await apply(await startApi(), [manifest], () => {})).toEqual([
      expect.stringContaining('namespaces "nowhere" not found'),
    ]);
  });
});
