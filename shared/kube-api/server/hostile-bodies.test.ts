import { describe, expect, it } from 'vitest';
import { createTestServer } from './test-server.ts';

const YAML = { 'content-type': 'application/yaml' };
const GIZMOS = '/apis/toys.windlass.dev/v1beta2/namespaces/default/gizmos';
const GIZMO = 'apiVersion: toys.windlass.dev/v1beta2\nkind: Gizmo\nmetadata: {name: one}\nspec: {version: v1.30}\n';

/** Enough items that comparing each with each would exceed the test's timeout. */
const MANY = 30_000;

const post = async (path: string, body: string, headers = YAML) => {
  const { call } = await createTestServer();
  return call('POST', path, body, headers);
};

describe('an HTML form as a body', () => {
  it('is refused with 415, as by kube-apiserver', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await post(GIZMOS, '{"metadata":{"name":"one"}}', form)).code).toBe(415);
  });
});

describe('a byte order mark', () => {
  it('is refused at the start of JSON', async () => {
    const body = '\ufeff{"metadata":{"name":"one"}}';
    expect((await post(GIZMOS, body, { 'content-type': 'application/json' })).code).toBe(400);
    const { call } = await createTestServer();
    const merge = { 'content-type': 'application/merge-patch+json' };
    expect((await call('PATCH', `${GIZMOS}/one`, body, merge)).code).toBe(400);
  });

  it('is accepted at the start of YAML', async () => {
    expect((await post(GIZMOS, `\ufeff${GIZMO}`)).code).toBe(201);
  });
});

describe('a body in YAML', () => {
  it('may have many keys', async () => {
    const labels = Array.from({ length: MANY }, (_, index) => `k${index}: v,`).join('');
    const answer = await post(`${GIZMOS}?dryRun=All`, GIZMO.replace('{name: one}', `{name: one, labels: {${labels}}}`));
    expect(answer.code).not.toBe(500);
  });

  it('causes warnings for the first of many duplicate keys, with their lines', async () => {
    const { code, headers } = await post(GIZMOS, `${GIZMO}${'kind: Gizmo\n'.repeat(200)}`);
    expect(code).toBe(201);
    const warnings = headers.get('warning') ?? '';
    expect(warnings).toContain('line 5: key \\"kind\\" already set in map');
    expect(warnings).not.toContain('line 150:');
  });

  it('is refused if it is nested too deeply for its parser', async () => {
    expect(await post(GIZMOS, '[{'.repeat(500_000))).toMatchObject({
      code: 400,
      body: { message: 'the body of the request is not valid YAML: it is nested too deeply' },
    });
  });

  it('is refused if a key is a list or a map', async () => {
    expect((await post(GIZMOS, `${GIZMO}? [a]\n: 1\n`)).body.message).toContain('a key is a list or a map');
  });
});

it('a body with many unknown fields is answered with as many warnings as fit into headers', async () => {
  const fields = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`unknown${index}`, index]));
  const spec = { version: 'v1.30', ...fields };
  const body = JSON.stringify({
    ...{ apiVersion: 'toys.windlass.dev/v1beta2', kind: 'Gizmo' },
    metadata: { name: 'a' },
    spec,
  });
  const { code, headers } = await post(GIZMOS, body, { 'content-type': 'application/json' });
  const warnings = headers.get('warning') ?? '';
  expect(code).toBe(201);
  expect(warnings).toContain('unknown field \\"spec.unknown0\\"');
  expect(warnings.length).toBeLessThan(8192);
});

describe('a review', () => {
  it.each([YAML, { 'content-type': 'application/json' }])(
    'is refused if its body is too large, with %j',
    async (headers) => {
      const body = JSON.stringify({ spec: { resourceAttributes: { name: 'n'.repeat(64 * 1024) } } });
      const answer = await post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', body, headers);
      expect(answer).toMatchObject({ code: 413, body: { message: 'Request entity too large: limit is 65536' } });
    },
  );
});
