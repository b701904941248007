import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startExtension, type TestExtension } from '../../../shared/extensions/test-extension.ts';
import { makeConversionCall, makeWebhookCall } from '../../../shared/extensions/webhook.ts';
import type { JsonObject } from '../../../shared/kube-api/json.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createTestApi } from '../test-api.ts';
import { CRDS, definition, version, WIDGETS, widget } from './test-widgets.ts';

const V2 = WIDGETS.replace('/v1/', '/v2/');
const CRD = `${CRDS}/widgets.example.com`;

let server: TestExtension;

beforeAll(async () => {
  server = await startExtension();
});

afterAll(() => server.close());

interface Review {
  request: { uid: string; desiredAPIVersion: string; objects: (JsonObject & { spec: JsonObject })[] };
}

/** v2 calls the size `width`. */
const convert = ({ spec, ...object }: Review['request']['objects'][number], apiVersion: string): JsonObject => {
  const { size, width, ...rest } = spec ?? {};
  const value = size ?? width;
  const measure = apiVersion.endsWith('/v2') ? 'width' : 'size';
  return { ...object, apiVersion, spec: { ...rest, ...(value === undefined ? {} : { [measure]: value }) } };
};

const answerWith = (change: (converted: JsonObject[]) => object = () => ({})): void => {
  server.answer = (path, sent) => {
    if (path.startsWith('/hook')) return { code: 503, body: '' };
    const { uid, desiredAPIVersion, objects } = (sent as unknown as Review).request;
    const convertedObjects = objects.map((object) => convert(object, desiredAPIVersion));
    const response = { uid, result: { status: 'Success' }, convertedObjects, ...change(convertedObjects) };
    return { body: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response } };
  };
};

const spec = { type: 'object', properties: { color: { type: 'string' }, width: { type: 'integer' } } };
const second = version('v2', { schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } });

const defined = (conversion: object = {}) => {
  const { spec: of, ...rest } = definition('widgets', 'Widget', {}, [version('v1'), second]);
  const clientConfig = { url: `${server.url}/convert`, caBundle: server.caBundle };
  const webhook = { clientConfig, conversionReviewVersions: ['v1'], ...conversion };
  return { ...rest, spec: { ...of, conversion: { strategy: 'Webhook', webhook } } };
};

const setUp = async () => {
  const https = { deadline: (ms: number) => AbortSignal.timeout(ms), reach: { loopback: true } };
  const calls = { callConversion: makeConversionCall(https), callWebhook: makeWebhookCall(https) };
  const api = createTestApi(createMemoryStorage(), calls);
  expect(await api.admin.ask('POST', CRDS, defined())).toMatchObject({ code: 201 });
  return { ...api, ask: api.admin.ask };
};

beforeEach(() => {
  server.requests.length = 0;
  answerWith();
});

const broken = (): void => {
  server.answer = () => ({ code: 503, body: 'a secret' });
};

describe('conversion by a webhook', () => {
  it('happens only between different versions, with one call for a whole list', async () => {
    const { ask } = await setUp();
    for (const name of ['a', 'b', 'c']) await ask('POST', WIDGETS, widget(name, { color: 'red', size: 4 }));
    await ask('GET', WIDGETS);
    await ask('PATCH', `${WIDGETS}/a`, { spec: { size: 5 } });
    expect(server.requests).toEqual([]);
    const { body } = await ask('GET', V2);
    expect(body.items.map((item: { spec: object }) => item.spec)).toEqual([
      { color: 'red', width: 5 },
      { color: 'red', width: 4 },
      { color: 'red', width: 4 },
    ]);
    expect(server.requests).toMatchObject([
      {
        kind: 'ConversionReview',
        apiVersion: 'apiextensions.k8s.io/v1',
        request: { desiredAPIVersion: 'example.com/v2', objects: [{ apiVersion: 'example.com/v1' }, {}, {}] },
      },
    ]);
  });

  it('converts an object that is written in another version to the stored version', async () => {
    const { ask } = await setUp();
    const created = await ask('POST', V2, { ...widget('a', { color: 'red', width: 7 }), apiVersion: 'example.com/v2' });
    expect(created).toMatchObject({ code: 201, body: { apiVersion: 'example.com/v2', spec: { width: 7 } } });
    server.requests.length = 0;
    expect((await ask('GET', `${WIDGETS}/a`)).body).toMatchObject({ apiVersion: 'example.com/v1', spec: { size: 7 } });
    expect(server.requests).toEqual([]);
  });

  it('rewrites an object in the new stored version, even if nothing else changes', async () => {
    const { ask } = await setUp();
    await ask('POST', WIDGETS, widget('a', { color: 'red', size: 4 }));
    const { body: crd } = await ask('GET', CRD);
    const versions = crd.spec.versions.map((one: { name: string }) => ({ ...one, storage: one.name === 'v2' }));
    await ask('PUT', CRD, { ...crd, spec: { ...crd.spec, versions } });
    const { body: before } = await ask('GET', `${V2}/a`);
    const { body: after } = await ask('PUT', `${V2}/a`, before);
    expect(after.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
    broken();
    expect(await ask('GET', `${V2}/a`)).toMatchObject({ code: 200, body: { spec: { width: 4 } } });
    expect((await ask('GET', CRD)).body.status.storedVersions).toEqual(['v1', 'v2']);
  });

  it('fails a request with 500 if the server is broken, and does not quote its answer', async () => {
    const { ask } = await setUp();
    await ask('POST', WIDGETS, widget('a'));
    broken();
    const { code, body } = await ask('GET', `${V2}/a`);
    expect(code).toBe(500);
    expect(body.message).toBe(
      `conversion webhook for example.com/v1, Kind=Widget failed: Post "${server.url}/convert?timeout=10s": the webhook answered with status code 503`,
    );
  });

  it.each([
    ['a member that would change prototypes', JSON.parse('{"spec":{"__proto__":{"a":1}}}') as object],
    ['a text', 'text'],
  ])('fails if the answer contains %s', async (_, wrong) => {
    const { ask } = await setUp();
    await ask('POST', WIDGETS, widget('a'));
    answerWith(([first]) => ({ convertedObjects: [typeof wrong === 'string' ? wrong : { ...first, ...wrong }] }));
    expect((await ask('GET', `${V2}/a`)).body.message).toBe(
      'conversion webhook for example.com/v1, Kind=Widget returned an object at index 0 that is none',
    );
  });

  it('does not block the deletion of a namespace or a definition while it is broken', async () => {
    const { ask } = await setUp();
    const team = WIDGETS.replace('/default/', '/team/');
    await ask('POST', '/api/v1/namespaces', { metadata: { name: 'team' } });
    await ask('POST', team, widget('a'));
    await ask('POST', WIDGETS, widget('b'));
    const { body: crd } = await ask('GET', CRD);
    const versions = crd.spec.versions.map((one: { name: string }) => ({ ...one, storage: one.name === 'v2' }));
    await ask('PUT', CRD, { ...crd, spec: { ...crd.spec, versions } });
    broken();
    await ask('DELETE', '/api/v1/namespaces/team');
    expect(await ask('GET', '/api/v1/namespaces/team')).toMatchObject({ code: 404 });
    await ask('DELETE', CRD);
    expect(await ask('GET', CRD)).toMatchObject({ code: 404 });
  });

  it('does not keep dependents from being deleted with their owner while it is broken', async () => {
    const { ask } = await setUp();
    const { body: owner } = await ask('POST', WIDGETS, widget('owner'));
    const { name, uid } = owner.metadata;
    const ownerReferences = [{ apiVersion: 'example.com/v2', kind: 'Widget', name, uid }];
    await ask('POST', WIDGETS, widget('dependent', { color: 'red' }, { ownerReferences }));
    broken();
    await ask('DELETE', `${WIDGETS}/owner`);
    expect(await ask('GET', `${WIDGETS}/dependent`)).toMatchObject({ code: 404 });
  });

  it('gives an admission webhook the version that its rules name', async () => {
    const { ask } = await setUp();
    const rule = { apiGroups: ['example.com'], apiVersions: ['v2'], resources: ['widgets'], operations: ['*'] };
    await ask('POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'policy' },
      webhooks: [
        {
          name: 'policy.example.com',
          clientConfig: { url: `${server.url}/hook`, caBundle: server.caBundle },
          rules: [rule],
          sideEffects: 'None',
          failurePolicy: 'Ignore',
          admissionReviewVersions: ['v1'],
        },
      ],
    });
    await ask('POST', WIDGETS, widget('a', { color: 'red', size: 4 }));
    expect(server.requests.map(({ kind }) => kind)).toEqual(['ConversionReview', 'AdmissionReview']);
    expect(server.requests[1]).toMatchObject({
      request: { object: { apiVersion: 'example.com/v2', spec: { color: 'red', width: 4 } } },
    });
  });

  it('ends a watch with an error if an object cannot be converted', async () => {
    const { ask, admin } = await setUp();
    const { body: list } = await ask('GET', V2);
    await ask('POST', WIDGETS, widget('a'));
    broken();
    const response = await admin.send(
      'GET',
      `${V2}?watch=true&timeoutSeconds=5&resourceVersion=${list.metadata.resourceVersion}`,
    );
    const events = (await response.text()).split('\n').filter((line) => line.trim() !== '');
    expect(events.map((line) => JSON.parse(line))).toMatchObject([{ type: 'ERROR', object: { code: 500 } }]);
  });

  it('is refused if it names a service, with the path of the field', async () => {
    const { admin } = createTestApi();
    const clientConfig = { service: { namespace: 'a', name: 'b' } };
    const refused = await admin.ask('POST', CRDS, defined({ clientConfig }));
    expect(refused).toMatchObject({ code: 422 });
    expect(refused.body.message).toContain(
      'spec.conversion.webhook.clientConfig.service: Forbidden: there is no cluster that has services; use url instead',
    );
  });
});
