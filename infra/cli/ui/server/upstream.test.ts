import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubeConfig } from '@kubernetes/client-node';
import { afterEach, expect, it } from 'vitest';
import { makeApp, OWN_HEADER } from './app.ts';
import { type Listening, listenOnLoopback } from './listen.ts';
import { makeUpstream } from './upstream.ts';

let api: Server;
let page: Listening;
afterEach(() => {
  page.close();
  api.closeAllConnections();
  api.close();
});

const TOKEN = 'secret';

/** Serves the page with an API that answers in this way, and returns a function that sends requests like the page. */
const serve = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
  api = createServer(answer);
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const config = new KubeConfig();
  const server = `http://127.0.0.1:${(api.address() as AddressInfo).port}/stage/`;
  config.loadFromOptions({
    clusters: [{ name: 'test', server, skipTLSVerify: true }],
    users: [{ name: 'test', token: 'of-the-user' }],
    contexts: [{ name: 'test', cluster: 'test', user: 'test' }],
    currentContext: 'test',
  });
  const settings = { context: 'test', server, canWrite: false, prices: [] };
  page = await listenOnLoopback({
    port: 0,
    makeFetch: (port) => {
      const upstream = makeUpstream(config);
      const app = makeApp({ settings, token: TOKEN, port, script: '', style: '', upstream });
      return (request) => app.fetch(request);
    },
  });
  const headers = { cookie: `windlass-ui-${page.port}=${TOKEN}`, [OWN_HEADER]: '1' };
  return (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${page.port}${path}`, { ...init, headers });
};

it('sends the credentials of the user, and no headers of the page', async () => {
  const seen: IncomingMessage[] = [];
  const send = await serve((request, response) => {
    seen.push(request);
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"code":404}');
  });
  const answer = await send('/apis/a.b/v1/things?limit=5');

  expect(answer.status).toBe(404);
  expect(seen[0]?.url).toBe('/stage/apis/a.b/v1/things?limit=5');
  expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer of-the-user', accept: 'application/json' });
  expect(seen[0]?.headers.cookie).toBeUndefined();
});

it('passes on the lines of a watch immediately, and ends the watch when the page closes the connection', async () => {
  let ended = () => {};
  const isEnded = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const send = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"type":"ADDED"}\n');
    response.on('close', ended);
  });
  const aborted = new AbortController();
  const answer = await send('/apis/a.b/v1/things?watch=true', { signal: aborted.signal });
  const first = await answer.body?.getReader().read();

  expect(new TextDecoder().decode(first?.value)).toBe('{"type":"ADDED"}\n');
  aborted.abort();
  await isEnded;
});

it('follows a redirect of a watch to the same server with the credentials, and to no other server', async () => {
  const asked: [string | undefined, string | undefined][] = [];
  let location = '../../../watches/apis/a.b/v1/things?watch=true';
  const send = await serve((request, response) => {
    asked.push([request.url, request.headers.authorization]);
    if (request.url?.includes('/watches/')) return response.end('{"type":"ADDED"}');
    response.writeHead(307, { location }).end('{}');
  });
  expect(await (await send('/apis/a.b/v1/things?watch=true')).text()).toContain('ADDED');
  const [[, first] = [], [place, second] = []] = asked;
  expect(place).toContain('/watches/apis/a.b/v1/things?watch=true');
  expect(second).toBe(first);

  location = 'http://elsewhere.example/watches/apis/a.b/v1/things?watch=true';
  const before = asked.length;
  expect((await send('/apis/a.b/v1/things?watch=true')).status).toBe(307);
  expect(asked).toHaveLength(before + 1);
});
