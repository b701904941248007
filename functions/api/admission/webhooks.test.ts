import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startExtension, type TestExtension } from '../../../shared/extensions/test-extension.ts';
import { WIDGETS, widget } from '../custom/test-widgets.ts';
import { createTestApi } from '../test-api.ts';
import { ANYTHING, CONFIGURATIONS, configuration, patching, testWebhooks, withWebhooks } from './test-webhooks.ts';

let server: TestExtension;

beforeAll(async () => {
  server = await startExtension();
});

afterAll(() => server.close());

const { answerWith, webhook } = testWebhooks(() => server);
const setUp = (kind: 'Validating' | 'Mutating', ...webhooks: object[]) => withWebhooks(kind, webhooks);

beforeEach(() => {
  server.asked.length = 0;
  server.requests.length = 0;
});

describe('validating webhooks', () => {
  it('are called with the object to be stored, and deny the write with their own message', async () => {
    const { ask } = await setUp('Validating', webhook());
    answerWith({ allowed: false, status: { code: 403, message: 'no reds', reason: 'Forbidden' } });
    const refused = await ask('POST', WIDGETS, widget('one'));
    expect(refused).toMatchObject({
      code: 403,
      body: { message: 'admission webhook "policy.example.com" denied the request: no reds', reason: 'Forbidden' },
    });
    expect(server.asked).toEqual(['/hook?timeout=10s']);
    expect(server.requests[0]).toMatchObject({
      kind: 'AdmissionReview',
      request: {
        kind: { group: 'example.com', version: 'v1', kind: 'Widget' },
        resource: { group: 'example.com', version: 'v1', resource: 'widgets' },
        name: 'one',
        namespace: 'default',
        operation: 'CREATE',
        userInfo: {
          username: expect.stringContaining('WindlassAdmin'),
          groups: expect.arrayContaining(['system:masters']),
        },
        object: { spec: { color: 'red', size: 3 } },
        oldObject: null,
        dryRun: false,
        options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
      },
    });
    expect(await ask('GET', `${WIDGETS}/one`)).toMatchObject({ code: 404 });
  });

  it('get both objects for an update, and the old one for a deletion', async () => {
    const { ask } = await setUp('Validating', webhook());
    answerWith({ allowed: true });
    await ask('POST', WIDGETS, widget('one'));
    await ask('PATCH', `${WIDGETS}/one`, { spec: { size: 5 } });
    await ask('DELETE', `${WIDGETS}/one?dryRun=All`);
    const [, update, deletion] = server.requests.map(({ request }) => request);
    expect(update).toMatchObject({
      operation: 'UPDATE',
      object: { spec: { size: 5 } },
      oldObject: { spec: { size: 3 } },
    });
    expect(deletion).toMatchObject({
      operation: 'DELETE',
      object: null,
      oldObject: { spec: { size: 5 } },
      dryRun: true,
    });
  });

  it('pass on their warnings, even if they deny the request', async () => {
    const { send } = await setUp('Validating', webhook());
    answerWith({ allowed: true, warnings: ['mind the gap'] });
    expect((await send('POST', WIDGETS, widget('one'))).headers.get('warning')).toBe('299 - "mind the gap"');
    answerWith({ allowed: false, warnings: ['told you'] });
    const refused = await send('POST', WIDGETS, widget('two'));
    expect(refused.headers.get('warning')).toBe('299 - "told you"');
    expect(await refused.json()).toMatchObject({ code: 400, message: /without explanation$/ });
  });

  it.each([
    ['another operation', {}, { operations: ['DELETE'] }],
    ['another resource', {}, { resources: ['widgets/status'] }],
    ['cluster-scoped objects', {}, { scope: 'Cluster' }],
    ['exactly another version', { matchPolicy: 'Exact' }, { apiVersions: ['v2'] }],
    ['other namespaces', { namespaceSelector: { matchLabels: { of: 'others' } } }, {}],
    ['other objects', { objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } }, {}],
    [
      'objects that meet a condition',
      { matchConditions: [{ name: 'blue', expression: 'object.spec.color == "blue"' }] },
      {},
    ],
  ])('are not called if they are for %s', async (_, more, rule) => {
    const { ask } = await setUp('Validating', webhook(more, rule));
    answerWith({ allowed: false });
    expect(await ask('POST', WIDGETS, widget('one'))).toMatchObject({ code: 201 });
    expect(server.asked).toEqual([]);
  });

  it('get the version that their rule names, and the Scale for a change of scale', async () => {
    const { ask } = await setUp(
      'Validating',
      webhook({}, { apiVersions: ['v2'] }),
      webhook({ name: 'scale.example.com' }, { resources: ['widgets/scale'] }),
    );
    answerWith({ allowed: true });
    await ask('POST', WIDGETS, widget('one'));
    await ask('PATCH', `${WIDGETS}/one/scale`, { spec: { replicas: 4 } });
    expect(server.requests.map(({ request }) => request)).toMatchObject([
      { kind: { version: 'v2' }, requestKind: { version: 'v1' }, object: { apiVersion: 'example.com/v2' } },
      { kind: { group: 'autoscaling', kind: 'Scale' }, subResource: 'scale', object: { spec: { replicas: 4 } } },
    ]);
  });

  it('fail a request if their answer is invalid, unless their failures are ignored', async () => {
    const { ask } = await setUp('Validating', webhook());
    const failed = async () => (await ask('POST', WIDGETS, widget('one'))).body.message;
    const START = 'Internal error occurred: failed calling webhook "policy.example.com": ';
    server.answer = () => ({ code: 503, body: 'a secret' });
    expect(await failed()).toBe(
      `${START}failed to call webhook: Post "${server.url}/hook?timeout=10s": the webhook answered with status code 503`,
    );
    server.answer = () => ({ body: {} });
    expect(await failed()).toBe(`${START}received invalid webhook response: webhook response was absent`);
    answerWith({ uid: 'other', allowed: true });
    expect(await failed()).toMatch(/expected response.uid="uid-\d+", got "other"$/);
    answerWith(patching({ op: 'remove', path: '/spec' }));
    expect(await failed()).toBe(
      `${START}received invalid webhook response: validating webhook may not return response.patch`,
    );
    const { ask: lenient } = await setUp('Validating', webhook({ failurePolicy: 'Ignore' }));
    server.answer = () => ({ code: 503, body: '' });
    expect(await lenient('POST', WIDGETS, widget('one'))).toMatchObject({ code: 201 });
  });

  it('are called for the kinds of Windlass, and never for admission configurations', async () => {
    const { ask, path } = await setUp('Validating', webhook({}, ANYTHING));
    answerWith({ allowed: false });
    expect(await ask('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'one' } })).toMatchObject({
      code: 400,
    });
    expect(await ask('DELETE', `${path}/policy`)).toMatchObject({ code: 200 });
    expect(await ask('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'one' } })).toMatchObject({
      code: 201,
    });
  });
});

describe('mutating webhooks', () => {
  it('change the object before it is validated, and own none of its fields', async () => {
    const { ask } = await setUp('Mutating', webhook());
    answerWith(
      patching(
        { op: 'add', path: '/spec/color', value: 'blue' },
        { op: 'add', path: '/spec/unknown', value: 1 },
        { op: 'add', path: '/metadata/labels', value: { seen: 'yes' } },
      ),
    );
    const { body } = await ask('POST', WIDGETS, { ...widget('one'), spec: { size: 4 } });
    expect(body).toMatchObject({ metadata: { labels: { seen: 'yes' } }, spec: { color: 'blue', size: 4 } });
    expect(body.spec).not.toHaveProperty('unknown');
    const again = await ask('POST', WIDGETS, widget('two'));
    expect(JSON.stringify(again.body.metadata.managedFields)).not.toContain('f:labels');
    expect(JSON.stringify(again.body.metadata.managedFields)).toContain('f:color');
  });

  it('are called again after a later webhook has changed the object, if their policy requests it', async () => {
    const { ask } = await setUp(
      'Mutating',
      webhook({ name: 'a.example.com', reinvocationPolicy: 'IfNeeded' }, {}, 'a'),
      webhook({ name: 'b.example.com' }, {}, 'b'),
    );
    answerWith(({ request }) => {
      const { size = 0 } = (request.object.spec ?? {}) as { size?: number };
      return patching({ op: 'replace', path: '/spec/size', value: size + 1 });
    });
    const { body } = await ask('POST', WIDGETS, widget('one'));
    expect(server.asked.map((path) => path.slice(0, 2))).toEqual(['/a', '/b', '/a']);
    expect(body.spec.size).toBe(6);
  });

  it('are called again after an earlier webhook has changed the object when it was called again', async () => {
    const { ask } = await setUp(
      'Mutating',
      webhook({ name: 'a.example.com', reinvocationPolicy: 'IfNeeded' }, {}, 'a'),
      webhook({ name: 'b.example.com', reinvocationPolicy: 'IfNeeded' }, {}, 'b'),
    );
    answerWith(({ request }, path) => {
      const { size = 0, replicas = 0 } = (request.object.spec ?? {}) as { size?: number; replicas?: number };
      if (path.startsWith('/a')) return patching({ op: 'add', path: '/spec/size', value: size + 1 });
      return replicas === size ? { allowed: true } : patching({ op: 'add', path: '/spec/replicas', value: size });
    });
    const { body } = await ask('POST', WIDGETS, widget('one'));
    expect(server.asked.map((path) => path.slice(0, 2))).toEqual(['/a', '/b', '/a', '/b']);
    expect(body.spec).toMatchObject({ size: 5, replicas: 5 });
  });

  it('can deny a deletion, but cannot change the object', async () => {
    const { ask } = await setUp('Mutating', webhook());
    answerWith({ allowed: true });
    await ask('POST', WIDGETS, widget('one'));
    answerWith(patching({ op: 'remove', path: '/spec' }));
    expect(await ask('DELETE', `${WIDGETS}/one`)).toMatchObject({
      code: 500,
      body: {
        message:
          'Internal error occurred: admission webhook "policy.example.com" attempted to modify the object, which is not supported for this operation',
      },
    });
    answerWith({ allowed: false, status: { message: 'never' } });
    expect(await ask('DELETE', `${WIDGETS}/one`)).toMatchObject({ code: 400 });
  });
});

describe('configurations of webhooks', () => {
  it('are refused if they name a service, with the path of the field', async () => {
    const { admin } = createTestApi();
    const path = `${CONFIGURATIONS}/validatingwebhookconfigurations`;
    const service = webhook({ clientConfig: { service: { namespace: 'a', name: 'b' } } });
    const refused = await admin.ask('POST', path, configuration('ValidatingWebhookConfiguration', service));
    expect(refused).toMatchObject({ code: 422 });
    expect(refused.body.message).toContain(
      'webhooks[0].clientConfig.service: Forbidden: there is no cluster that has services; use url instead',
    );
  });

  it('can be written by admins only', async () => {
    const { user } = createTestApi();
    const path = `${CONFIGURATIONS}/validatingwebhookconfigurations`;
    const refused = await user('tenant').ask('POST', path, configuration('ValidatingWebhookConfiguration'));
    expect(refused).toMatchObject({ code: 403 });
  });
});
