import { describe, expect, it } from 'vitest';
import { makeApp, OWN_HEADER } from './app.ts';
import type { Passed, Upstream } from './upstream.ts';

const TOKEN = 'a-token';
const ORIGIN = 'http://127.0.0.1:7000';
const CLUSTERS = '/apis/cluster.x-k8s.io/v1beta2/clusters';
const CLUSTER = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters/demo';

const GOOD = { host: '127.0.0.1:7000', cookie: `windlass-ui-7000=${TOKEN}`, [OWN_HEADER]: '1' };

const makeTest = ({ canWrite = false } = {}) => {
  const passed: Passed[] = [];
  const upstream: Upstream = async (request) => {
    passed.push(request);
    const body = new Response('{"kind":"ClusterList"}').body as never;
    return { code: 200, contentType: 'application/json', warnings: ['299 - "plan: nothing"'], body };
  };
  const settings = { context: 'test', server: 'https://api.example', canWrite, prices: [] };
  const app = makeApp({ settings, token: TOKEN, port: 7000, script: 'run()', style: 'a{}', upstream });
  const send = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
    app.fetch(new Request(`${ORIGIN}${path}`, { ...init, headers: init.headers ?? GOOD }));
  return { send, passed };
};

const without = (name: string) => Object.fromEntries(Object.entries(GOOD).filter(([key]) => key !== name));

describe('the address of the page', () => {
  it('contains a token, which becomes a cookie that scripts and other sites cannot use', async () => {
    const { send } = makeTest();
    const answer = await send(`/?token=${TOKEN}`, { headers: { host: GOOD.host } });

    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toBe(`windlass-ui-7000=${TOKEN}; Path=/; HttpOnly; SameSite=Strict`);
  });

  it.each([
    '/',
    '/page.js',
    '/page.css',
    '/settings',
    CLUSTERS,
    '/?token=',
    '/?token=a-tokem',
    `${CLUSTERS}?token=${TOKEN}`,
  ])('is refused without the token: %s', async (path) => {
    const { send, passed } = makeTest();
    const answer = await send(path, { headers: without('cookie') });

    expect(answer.status).toBe(403);
    expect(await answer.text()).not.toContain(TOKEN);
    expect(passed).toEqual([]);
  });

  it.each(['evil.example', 'evil.example:7000', '127.0.0.1:7001', 'localhost', '127.0.0.1:7000.evil.example', ''])(
    'is refused with the host %j, because of DNS rebinding',
    async (host) => {
      const { send, passed } = makeTest();

      expect((await send(`/?token=${TOKEN}`, { headers: { ...GOOD, host } })).status).toBe(403);
      expect((await send(CLUSTERS, { headers: { ...GOOD, host } })).status).toBe(403);
      expect(passed).toEqual([]);
    },
  );
});

describe('the response', () => {
  it.each(['/', '/page.js', '/settings', CLUSTERS, '/nothing', `${CLUSTERS}/../secrets`])(
    'to %s forbids inline code, frames and content sniffing',
    async (path) => {
      const { headers } = await makeTest().send(path);

      expect(headers.get('content-security-policy')?.split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  it('contains no inline code or style in the document', async () => {
    const text = await (await makeTest().send('/')).text();
    expect(text).not.toMatch(/<style|\son\w+=|\sstyle=|<script(?![^>]*\ssrc=)/);
  });
});

describe('a request to the API', () => {
  it("is passed on without the browser's headers", async () => {
    const { send, passed } = makeTest();
    const headers = { ...GOOD, authorization: 'Bearer other', 'impersonate-user': 'admin' };
    const answer = await send(`${CLUSTERS}?watch=true`, { headers });

    expect(await answer.json()).toEqual({ kind: 'ClusterList' });
    expect(passed).toEqual([{ method: 'GET', path: `${CLUSTERS}?watch=true`, signal: expect.anything() }]);
  });

  it.each([
    ["without the page's own header", without(OWN_HEADER)],
    ['from another origin', { ...GOOD, origin: 'https://evil.example' }],
    ['from another port', { ...GOOD, origin: 'http://127.0.0.1:8000' }],
    ['from another site', { ...GOOD, 'sec-fetch-site': 'cross-site' }],
    ['typed into the address bar', { ...GOOD, 'sec-fetch-site': 'none' }],
  ])('is refused if it is %s', async (_, headers) => {
    const { send, passed } = makeTest({ canWrite: true });
    const write = { method: 'PUT', body: '{}', headers: { ...headers, 'content-type': 'application/json' } };

    expect((await send(CLUSTERS, { headers })).status).toBe(403);
    expect((await send(CLUSTER, write)).status).toBe(403);
    expect(passed).toEqual([]);
  });

  it('gets an error if the API does not answer', async () => {
    const upstream: Upstream = () => Promise.reject(new Error('connect ECONNREFUSED'));
    const settings = { context: 'test', server: '', canWrite: false, prices: [] };
    const app = makeApp({ settings, token: TOKEN, port: 7000, script: '', style: '', upstream });
    const answer = await app.fetch(new Request(`${ORIGIN}${CLUSTERS}`, { headers: GOOD }));

    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ message: 'the API cannot be reached: connect ECONNREFUSED' });
  });
});

describe('a write', () => {
  const body = '{"kind":"Cluster"}';
  const headers = { ...GOOD, 'content-type': 'application/json' };

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('by %s is refused without --write', async (method) => {
    const { send, passed } = makeTest();
    expect((await send(CLUSTER, { method, body, headers })).status).toBe(405);
    expect(passed).toEqual([]);
  });

  it.each(['POST', 'DELETE'])('by %s is refused even with --write', async (method) => {
    const { send, passed } = makeTest({ canWrite: true });
    expect((await send(CLUSTER, { method, body, headers })).status).toBe(405);
    expect(passed).toEqual([]);
  });

  it('with --write is passed on, and its warnings are returned', async () => {
    const { send, passed } = makeTest({ canWrite: true });
    const answer = await send(`${CLUSTER}?dryRun=All`, { method: 'PUT', body, headers });

    expect(answer.headers.get('warning')).toBe('299 - "plan: nothing"');
    expect(passed).toMatchObject([{ method: 'PUT', path: `${CLUSTER}?dryRun=All`, body }]);
  });

  it('is refused if it is from a form, larger than 1 MiB or for a whole collection', async () => {
    const { send, passed } = makeTest({ canWrite: true });
    const form = { ...GOOD, 'content-type': 'text/plain' };

    expect((await send(CLUSTER, { method: 'PUT', body, headers: form })).status).toBe(400);
    expect((await send(CLUSTER, { method: 'PUT', body: 'x'.repeat(2 ** 20 + 1), headers })).status).toBe(413);
    expect((await send(CLUSTERS, { method: 'PATCH', body, headers })).status).toBe(405);
    expect(passed).toEqual([]);
  });
});

describe.each([false, true])('Secrets, with --write %s', (canWrite) => {
  it.each([
    '/api/v1/secrets',
    '/api/v1/secrets?watch=true',
    '/api/v1/namespaces/default/secrets',
    '/api/v1/namespaces/default/secrets/demo-kubeconfig',
    '/api/v1/namespaces/default/Secrets/demo-kubeconfig',
    '/api/v1/namespaces/default/%73ecrets/demo-kubeconfig',
    '/api/v1/namespaces/default/pods/../secrets/demo-kubeconfig',
    '/api/v1/namespaces/default/pods/%2e%2e/secrets/demo-kubeconfig',
    '/api/v1/namespaces/default/pods%2f..%2fsecrets',
    '/api/v1//secrets',
    '/api//v1/secrets',
    '/api/v1/secrets/',
    '/api/v1/watch/secrets',
    '/api/v1/watch/namespaces/default/secrets',
    '/api/v1/namespaces/secrets/secrets',
    '/apis/any.group/v1/secrets',
    '/api/v1/namespaces/default/serviceaccounts/admin/token',
    '/api/v1/namespaces/default/services/web/proxy/metrics',
  ])('are not passed on: %s', async (path) => {
    const { send, passed } = makeTest({ canWrite });
    const answer = await send(path);

    expect([403, 404]).toContain(answer.status);
    if (canWrite) {
      const headers = { ...GOOD, 'content-type': 'application/json' };
      expect((await send(path, { method: 'PUT', body: '{}', headers })).status).toBeGreaterThan(400);
    }
    expect(passed).toEqual([]);
  });
});
