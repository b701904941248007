import { describe, expect, it } from 'vitest';
import { answerOf, basePathOf, type ProxyEvent, requestOf, userOf } from './proxy-event.ts';

const event = (more: Partial<ProxyEvent> = {}): ProxyEvent => ({
  httpMethod: 'GET',
  path: '/api/v1/namespaces',
  headers: { Accept: 'application/json', Authorization: 'Bearer k8s-aws-v1.secret' },
  multiValueHeaders: { Accept: ['application/json;as=Table', 'application/json'] },
  multiValueQueryStringParameters: { labelSelector: ['a=b,c in (d,e)'], dryRun: ['All', 'x'] },
  body: null,
  isBase64Encoded: false,
  requestContext: {
    domainName: 'abc.execute-api.us-east-1.amazonaws.com',
    path: '/k8s/api/v1/namespaces',
    authorizer: { principalId: 'arn:p', userName: 'arn:u', groups: 'system:masters,system:authenticated' },
  },
  ...more,
});

describe('the event of API Gateway', () => {
  it('becomes a request with all values of headers and query, but without the token', () => {
    const request = requestOf(event());
    const url = new URL(request.url);
    expect(url.host).toBe('abc.execute-api.us-east-1.amazonaws.com');
    expect(url.pathname).toBe('/api/v1/namespaces');
    expect(url.searchParams.get('labelSelector')).toBe('a=b,c in (d,e)');
    expect(url.searchParams.getAll('dryRun')).toEqual(['All', 'x']);
    expect(request.headers.get('accept')).toBe('application/json;as=Table, application/json');
    expect(request.headers.has('authorization')).toBe(false);
  });

  it('carries binary bodies as base64 and others as text', async () => {
    const bytes = Uint8Array.from([0x6b, 0x38, 0x73, 0, 255]);
    const binary = { body: Buffer.from(bytes).toString('base64'), isBase64Encoded: true };
    const post = requestOf(event({ httpMethod: 'POST', ...binary }));
    expect(new Uint8Array(await post.arrayBuffer())).toEqual(bytes);
    const text = requestOf(event({ httpMethod: 'PUT', body: '{"a":"ü"}' }));
    expect(await text.json()).toEqual({ a: 'ü' });
  });

  it('yields the prefix that precedes the API in the URL of the client', () => {
    expect(basePathOf(event())).toBe('/k8s');
    expect(basePathOf(event({ requestContext: { path: '/api/v1/namespaces' } }))).toBe('');
  });

  // Unlike the stage, the base path of a mapping is in both of API Gateway's paths.
  it.each([
    ['/{proxy+}', 'api/v1/namespaces', '/fleet/api/v1/namespaces', '/fleet', '/api/v1/namespaces'],
    ['/{proxy+}', 'api/v1/namespaces', '/a/b/api/v1/namespaces/', '/a/b', '/api/v1/namespaces/'],
    ['/{proxy+}', 'apis/x/a b', '/fleet/apis/x/a%20b', '/fleet', '/apis/x/a%20b'],
    ['/watches/{proxy+}', 'api/v1/pods', '/fleet/watches/api/v1/pods', '/fleet', '/watches/api/v1/pods'],
    ['/{proxy+}', 'api/api', '/api/api', '', '/api/api'],
    ['/{proxy+}', 'x%', '/fleet/x%', '/fleet', '/x%'],
    ['/', undefined, '/fleet', '/fleet', '/'],
    ['/', undefined, '/fleet/', '/fleet', '/'],
    ['/', undefined, '/', '', '/'],
    ['/{proxy+}', undefined, '/api', '', '/api'],
    ['/{proxy+}', 'api/v1', '/a%20b/api/v1', '', '/a%20b/api/v1'],
  ])('for %s with %s at a custom domain splits %s into "%s" and %s', (resource, proxy, path, base, rest) => {
    const mapped = event({ resource, pathParameters: { proxy }, path, requestContext: { path } });
    expect(basePathOf(mapped)).toBe(base);
    expect(new URL(requestOf(mapped).url).pathname).toBe(rest);
  });

  it('yields the user that the authorizer found, and is refused without an authorizer', () => {
    expect(userOf(event())).toEqual({ name: 'arn:u', groups: ['system:masters', 'system:authenticated'] });
    expect(userOf(event({ requestContext: { authorizer: { principalId: 'p' } } }))).toEqual({ name: 'p', groups: [] });
    const session = userOf(event({ requestContext: { authorizer: { userName: 'arn:u', userId: 'AROAX:ann' } } }));
    expect(session).toEqual({
      ...{ name: 'arn:u', groups: [], uid: 'AROAX:ann' },
      extra: { canonicalArn: ['arn:u'], principalId: ['AROAX'], sessionName: ['ann'] },
    });
    expect(() => userOf(event({ requestContext: {} }))).toThrow('without an authorizer');
  });

  it('is answered with the status, joined headers and the body as a stream', async () => {
    const response = new Response('{}', { status: 201, headers: { 'content-type': 'application/json' } });
    response.headers.append('warning', '299 - "a"');
    response.headers.append('warning', '299 - "b"');
    const { statusCode, headers, body } = answerOf(response);
    expect({ statusCode, headers }).toEqual({
      statusCode: 201,
      headers: { 'content-type': 'application/json', warning: '299 - "a", 299 - "b"' },
    });
    expect(await new Response(body).text()).toBe('{}');
  });
});
