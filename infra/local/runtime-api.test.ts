import { Agent, request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureRuntime, startFixtureRuntime } from './fixture-runtime.ts';
import { type Runtime, startRuntime } from './runtime.ts';

let fixture: FixtureRuntime;
let runtime: Runtime;

beforeAll(async () => {
  fixture = await startFixtureRuntime();
  ({ runtime } = fixture);
});

afterAll(async () => {
  await fixture?.stop();
});

const get = (
  path: string,
  token: string | undefined,
  body?: Buffer,
): Promise<{ status: number; body: string; pieces: number; headers: Record<string, unknown> }> =>
  new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : { Authorization: `Bearer k8s-aws-v1.${token}` };
    const agent = new Agent({ ca: runtime.caPem, keepAlive: false });
    const call = request(`${runtime.url}${path}`, { agent, headers, method: body ? 'POST' : 'GET' }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(chunks).toString(),
          pieces: chunks.length,
          headers: response.headers,
        }),
      );
      response.on('error', reject);
    });
    call.on('error', reject);
    call.end(body);
  });

describe('the API', () => {
  it('passes a request to the function, with its caller', async () => {
    const { status, body, headers } = await get('/api/v1/pods?watch=1&a=x%20y&a=z', 'good');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json');
    const event = JSON.parse(body);
    expect(event).toMatchObject({
      resource: '/{proxy+}',
      path: '/api/v1/pods',
      httpMethod: 'GET',
      pathParameters: { proxy: 'api/v1/pods' },
      queryStringParameters: { watch: '1', a: 'z' },
      multiValueQueryStringParameters: { a: ['x y', 'z'] },
      body: null,
      isBase64Encoded: false,
      requestContext: { path: '/k8s/api/v1/pods', stage: 'k8s', authorizer: { principalId: 'ann', asked: '1' } },
    });
    expect(event.headers.Authorization).toBe('Bearer k8s-aws-v1.good');
  });

  it('passes GET requests below /watches, and no others, to a separate function', async () => {
    const { status, body } = await get('/watches/api/v1/pods?watch=1', 'good');
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      function: 'watch',
      resource: '/watches/{proxy+}',
      path: '/watches/api/v1/pods',
      pathParameters: { proxy: 'api/v1/pods' },
    });
    const post = await get('/watches/api/v1/pods', 'good', Buffer.from('{}'));
    expect(JSON.parse(post.body)).toMatchObject({ resource: '/{proxy+}', path: '/watches/api/v1/pods' });
  });

  it('caches the authorizer’s answer for a token', async () => {
    const asked = async () => JSON.parse((await get('/version', 'good')).body).requestContext.authorizer.asked;
    expect([await asked(), await asked()]).toEqual(['1', '1']);
  });

  it.each([
    ['no token', undefined, 401, 'Unauthorized'],
    ['a token of another shape', 'b.a.d', 401, 'Unauthorized'],
    ['a refused token', 'bad', 401, 'Unauthorized'],
    ['a denied caller', 'denied', 403, 'Forbidden'],
    ['an authorizer that fails', 'down', 503, 'ServiceUnavailable'],
  ])('answers %s with a Status', async (_, token, code, reason) => {
    const { status, body } = await get('/api', token);
    expect(status).toBe(code);
    expect(JSON.parse(body)).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason });
  });

  it('streams what the function writes immediately', async () => {
    const { body, pieces } = await get('/watch', 'good');
    expect(body).toBe('onetwothree');
    expect(pieces).toBeGreaterThanOrEqual(3);
  });

  it('answers 502 when the function fails or ends without writing', async () => {
    expect((await get('/broken', 'good')).status).toBe(502);
    expect((await get('/silent', 'good')).status).toBe(502);
  });

  it('refuses a body over 10 MB', async () => {
    expect((await get('/api', 'good', Buffer.alloc(10 * 1024 * 1024 + 1))).status).toBe(413);
  });

  it('refuses a body that is larger than a Lambda event with a Status', async () => {
    const { status, body } = await get('/api', 'good', Buffer.alloc(7 * 1024 * 1024, 'a'));
    expect(status).toBe(413);
    expect(JSON.parse(body)).toMatchObject({ kind: 'Status', code: 413, reason: 'RequestEntityTooLarge' });
  });

  it('answers 403 outside its stage', async () => {
    const outside = { ...runtime, url: runtime.url.replace('/k8s', '/other') };
    const inside = runtime;
    runtime = outside;
    const { status } = await get('/api', 'good');
    runtime = inside;
    expect(status).toBe(403);
  });
});

it('reports in one line that its port is in use, and keeps its authority after a restart', async () => {
  const port = Number(new URL(runtime.url).port);
  await expect(startRuntime({ ...fixture.options, port })).rejects.toThrow(
    `port ${port} is in use: is another npm start running?`,
  );
  const second = await startRuntime(fixture.options);
  expect(second.caPem).toBe(runtime.caPem);
  await second.stop();
});
