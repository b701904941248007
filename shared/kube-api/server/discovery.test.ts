import { describe, expect, it } from 'vitest';
import { createTestServer } from './test-server.ts';

const { call, send, server } = await createTestServer();

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const KUBECTL_ACCEPT = `${AGGREGATED},application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json`;

describe('discovery', () => {
  it('is aggregated for clients that request it', async () => {
    const response = await send('GET', '/apis', undefined, { accept: KUBECTL_ACCEPT });
    expect(response.headers.get('content-type')).toBe(AGGREGATED);
    expect(await response.json()).toMatchObject({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      items: [
        {
          metadata: { name: 'toys.windlass.dev' },
          versions: [
            {
              version: 'v1beta2',
              resources: [
                {
                  resource: 'gizmos',
                  responseKind: { group: 'toys.windlass.dev', version: 'v1beta2', kind: 'Gizmo' },
                  scope: 'Namespaced',
                  singularResource: 'gizmo',
                  shortNames: ['gz'],
                  categories: ['toys'],
                  subresources: [
                    { subresource: 'status' },
                    { subresource: 'scale', responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' } },
                  ],
                },
              ],
            },
          ],
        },
        { metadata: { name: 'apiextensions.k8s.io' } },
        { metadata: { name: 'authorization.k8s.io' } },
        { metadata: { name: 'authentication.k8s.io' } },
      ],
    });
    const older = await send('GET', '/api', undefined, { accept: AGGREGATED.replace('v=v2', 'v=v2beta1') });
    expect(((await older.json()) as { apiVersion: string }).apiVersion).toBe('apidiscovery.k8s.io/v2beta1');
    const known = { accept: KUBECTL_ACCEPT, 'if-none-match': response.headers.get('etag') ?? '' };
    expect((await send('GET', '/apis', undefined, known)).status).toBe(304);
  });

  it('is one document for each version for all other clients', async () => {
    expect((await call('GET', '/api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    expect((await call('GET', '/apis')).body).toMatchObject({
      kind: 'APIGroupList',
      groups: [{ name: 'toys.windlass.dev', preferredVersion: { version: 'v1beta2' } }, {}, {}, {}],
    });
    expect((await call('GET', '/apis/toys.windlass.dev')).body.kind).toBe('APIGroup');
    const { body } = await call('GET', '/apis/toys.windlass.dev/v1beta2');
    expect(body.resources.map(({ name }: { name: string }) => name)).toEqual([
      'gizmos',
      'gizmos/status',
      'gizmos/scale',
    ]);
    expect((await call('GET', '/api/v1')).body.groupVersion).toBe('v1');
    const { resources } = (await call('GET', '/api/v1')).body;
    expect(resources[0]).toMatchObject({ name: 'configmaps', storageVersionHash: 'qFsyl6wFWjQ=' });
    const yaml = await send('GET', '/apis/toys.windlass.dev', undefined, { accept: 'application/yaml' });
    expect(await yaml.text()).toContain('kind: APIGroup\n');
    expect((await call('GET', '/api', undefined, { accept: 'application/xml' })).code).toBe(406);
    expect((await call('GET', '/apis/nobody')).code).toBe(404);
    expect((await call('GET', '/api/v2')).code).toBe(404);
  });

  it('reports version and health', async () => {
    expect((await call('GET', '/version')).body).toMatchObject({
      major: '1',
      minor: '34',
      gitVersion: 'v1.34.0+windlass',
    });
    for (const path of ['/healthz', '/livez', '/readyz', '/readyz/ping'])
      expect(await (await send('GET', path)).text()).toBe('ok');
  });
});

describe('OpenAPI v3', () => {
  it('has an index of documents whose addresses name their content', async () => {
    const { body, headers } = await call('GET', '/openapi/v3');
    expect(headers.get('vary')).toBe('Accept');
    const url = body.paths['apis/toys.windlass.dev/v1beta2'].serverRelativeURL;
    expect(url).toMatch(/^\/openapi\/v3\/apis\/toys\.windlass\.dev\/v1beta2\?hash=[0-9A-F]{64}$/);
    const document = await send('GET', url);
    expect(document.headers.get('cache-control')).toMatch(/^public, immutable/);
    expect(document.headers.get('vary')).toBe('Accept');
    const unhashed = await send('GET', url.split('?')[0]);
    expect(unhashed.headers.get('cache-control')).toBe('no-cache, private');
  });

  it('is not sent again to clients that have the current document', async () => {
    const path = '/openapi/v3/apis/toys.windlass.dev/v1beta2';
    const { headers } = await send('GET', path);
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9A-F]{64}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await send('GET', path, undefined, { 'if-none-match': known });
      expect(response.status).toBe(304);
      expect(await response.text()).toBe('');
      expect(response.headers.get('etag')).toBe(etag);
      expect(response.headers.get('cache-control')).toBe('no-cache, private');
    }
    expect((await send('GET', path, undefined, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('redirects from the address of an older document to the current one', async () => {
    const path = '/openapi/v3/apis/toys.windlass.dev/v1beta2';
    const { body } = await call('GET', '/openapi/v3');
    const url = body.paths['apis/toys.windlass.dev/v1beta2'].serverRelativeURL;
    const response = await send('GET', `${path}?hash=0000`);
    expect(response.status).toBe(301);
    const location = new URL(response.headers.get('location') ?? '', `http://test/k8s${path}?hash=0000`);
    expect(`${location.pathname}${location.search}`).toBe(`/k8s${url}`);
    expect(response.headers.get('cache-control')).toBe('no-cache, private');
    expect((await send('GET', `${path}?hash=`)).status).toBe(200);
  });

  it('includes the prefix of the API in the addresses of the documents', async () => {
    const user = { name: 'tester', groups: [] };
    const index = await server.fetch(new Request('http://test/openapi/v3'), user, '/k8s');
    expect(await index.text()).toContain('"/k8s/openapi/v3/api/v1?hash=');
  });

  it('declares what kubectl expects for PATCH, and the kinds of schemas and operations', async () => {
    const { body } = await call('GET', '/openapi/v3/apis/toys.windlass.dev/v1beta2');
    const gvk = { group: 'toys.windlass.dev', version: 'v1beta2', kind: 'Gizmo' };
    const one = body.paths['/apis/toys.windlass.dev/v1beta2/namespaces/{namespace}/gizmos/{name}'];
    expect(one.patch['x-kubernetes-group-version-kind']).toEqual(gvk);
    expect(one.patch.parameters.map(({ name }: { name: string }) => name)).toEqual([
      'dryRun',
      'fieldManager',
      'fieldValidation',
      'force',
    ]);
    const schema = body.components.schemas['dev.windlass.toys.v1beta2.Gizmo'];
    expect(schema['x-kubernetes-group-version-kind']).toEqual([gvk]);
    expect(schema.properties.spec.properties.version.description).toBe('version is what runs.');
    const refs = JSON.stringify(body).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
    for (const [, name] of refs) expect(body.components.schemas).toHaveProperty([String(name)]);
  });
});

describe('reviews', () => {
  const REVIEW = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

  it('report what the user may do, by the rule that is enforced', async () => {
    const authorize = (_: unknown, { verb }: { verb: string }) => verb !== 'delete';
    const { call: ask } = await createTestServer({ authorize });
    const review = (verb: string) => ({
      spec: { resourceAttributes: { verb, resource: 'gizmos', namespace: 'default' } },
    });
    expect((await ask('POST', REVIEW, review('get'))).body.status).toEqual({ allowed: true });
    expect((await ask('POST', REVIEW, review('delete'))).body.status).toEqual({ allowed: false });
    expect((await ask('POST', REVIEW, { spec: {} })).code).toBe(422);
    const refused = await ask('DELETE', '/apis/toys.windlass.dev/v1beta2/namespaces/default/gizmos/one');
    expect(refused.body.message).toBe(
      'gizmos.toys.windlass.dev "one" is forbidden: User "tester" cannot delete resource "gizmos" in API group "toys.windlass.dev" in the namespace "default"',
    );
  });

  it('report who the user is', async () => {
    const { code, body } = await call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {});
    expect(code).toBe(201);
    expect(body.status.userInfo).toEqual({ username: 'tester', groups: ['testers'] });
  });
});
