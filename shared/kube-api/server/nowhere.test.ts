import { beforeEach, describe, expect, it } from 'vitest';
import { ThrottledError } from '../../errors.ts';
import type { WriteEvent } from '../registry/registry.ts';
import { gizmo } from '../test-kinds.ts';
import { createTestServer, PATH } from './test-server.ts';

let { call }: Awaited<ReturnType<typeof createTestServer>> = await createTestServer();
beforeEach(async () => {
  ({ call } = await createTestServer());
});

describe('requests for paths that do not exist', () => {
  it.each([
    ['GET', '/apis/toys.windlass.dev/v1beta2/namespaces/default/gadgets', 404],
    ['GET', '/apis/toys.windlass.dev/v1/gizmos', 404],
    ['GET', '/apis/toys.windlass.dev/v1beta2/gizmos/one', 404],
    ['GET', '/api/v1/namespaces/default/namespaces', 404],
    ['GET', '/%zz', 400],
    ['GET', '//api/v1/namespaces', 404],
    ['GET', '/api/v1//namespaces', 404],
    ['GET', '/api/v1/namespaces//default', 404],
    ['GET', `${PATH}//one`, 404],
    ['GET', `/${PATH}`, 404],
    ['POST', `/${PATH}`, 404],
    ['GET', '/apis//', 404],
    ['GET', '/apis//toys.windlass.dev', 404],
    ['GET', '/', 404],
    ['GET', '/api/v1/bogus', 404],
    ['GET', '/openapi/v3/bogus', 404],
    ['GET', `${PATH}/one/bogus`, 404],
    ['PUT', PATH, 400],
    ['PUT', '/api/v1/namespaces/default/configmaps', 405],
    ['DELETE', '/api/v1/configmaps', 405],
    ['POST', `${PATH}/one`, 405],
    ['POST', '/version', 405],
    ['POST', '/apis/toys.windlass.dev/v1beta2/gizmos', 404],
    ['DELETE', '/apis/toys.windlass.dev/v1beta2/gizmos', 404],
    ['GET', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 405],
  ])('are answered for %s %s with %i', async (method, path, code) => {
    const body = method === 'GET' ? undefined : gizmo('one');
    expect((await call(method, path, body)).code).toBe(code);
  });

  it('are refused in JSON in the groups of built-in kinds, and in plain text elsewhere', async () => {
    const own = await call('GET', '/api/v1/bogus');
    expect(own.body).toMatchObject({ message: 'the server could not find the requested resource', details: {} });
    const other = await call('GET', '/apis/toys.windlass.dev/v1beta2/bogus');
    expect(other.body).toBe('404 page not found\n');
    const part = await call('GET', `${PATH}/one/bogus`);
    expect(part.body.details).toEqual({ name: 'one', group: 'toys.windlass.dev', kind: 'gizmos' });
  });

  it.each([
    ['/api/v1/namespaces/default', 405],
    ['/api/v1/namespaces/missing', 405],
    ['/api/v1/namespaces', 405],
    ['/api/v1/namespaces?watch=true', 405],
    ['/api/v1/namespaces/default/bogus', 404],
    ['/api/v1/bogus', 404],
    ['/version', 405],
    ['/api', 405],
    ['/api/v1', 405],
    ['/apis/authorization.k8s.io/v1', 405],
    ['/apis', 200],
    ['/apis/authorization.k8s.io', 200],
    ['/apis/toys.windlass.dev', 200],
    ['/apis/toys.windlass.dev/v1beta2', 200],
    ['/healthz', 200],
    ['/openapi/v3', 200],
    [PATH, 200],
    [`${PATH}/one`, 404],
  ])('are answered for HEAD %s with %i: what is built into Kubernetes supports only GET', async (path, code) => {
    expect((await call('HEAD', path)).code).toBe(code);
  });

  it('are refused with the name quoted as in Go', async () => {
    const { body } = await call('GET', `${PATH}/a%00%22`);
    expect(body.message).toBe('gizmos.toys.windlass.dev "a\\x00\\"" not found');
    const nameless = await call('GET', `${PATH}//one`);
    expect(nameless.body.details).toEqual({ group: 'toys.windlass.dev', kind: 'gizmos' });
  });

  it('are refused with the verb only for custom resources', async () => {
    const own = await call('POST', '/api/v1/namespaces/default/configmaps/one', {});
    expect(own.body.message).toBe('the server does not allow this method on the requested resource');
    const other = await call('POST', `${PATH}/one`, {});
    expect(other.body.message).toBe('create is not supported on resources of kind "gizmos.toys.windlass.dev"');
  });

  it('are refused if one object is requested as a list, or a list as one object', async () => {
    await call('POST', PATH, gizmo('one'));
    const as = (form: string) => ({ accept: `application/json;as=${form};v=v1;g=meta.k8s.io` });
    const list = await call('GET', PATH, undefined, as('PartialObjectMetadata'));
    expect(list).toMatchObject({ code: 406, body: { reason: 'NotAcceptable' } });
    const one = await call('GET', `${PATH}/one`, undefined, as('PartialObjectMetadataList'));
    expect(one.body.message).toMatch(
      /^you requested PartialObjectMetadataList, but the requested object is not a list/,
    );
  });

  it('are refused with upstream’s message if the client does not accept JSON', async () => {
    const { code, body } = await call('GET', PATH, undefined, { accept: 'application/vnd.kubernetes.protobuf' });
    expect(code).toBe(406);
    expect(body.message).toMatch(/^only the following media types are accepted/);
  });

  it('reveal nothing about internal errors', async () => {
    const onWrite = async ({ resource }: WriteEvent) => {
      if (resource.kind === 'Gizmo') throw new TypeError('a password');
    };
    const { call: ask } = await createTestServer({ onWrite });
    const { code, body } = await ask('POST', PATH, gizmo('one'));
    expect({ code, reason: body.reason }).toEqual({ code: 500, reason: 'InternalError' });
    expect(JSON.stringify(body)).not.toContain('a password');
  });

  it('tell a client to retry when the storage is throttled', async () => {
    const onWrite = async ({ resource }: WriteEvent) => {
      if (resource.kind === 'Gizmo') throw new Error('SlowDown');
    };
    const translateError = () => new ThrottledError('too fast');
    const { call: ask } = await createTestServer({ onWrite, translateError });
    const { code, headers, body } = await ask('POST', PATH, gizmo('one'));
    expect({ code, reason: body.reason, wait: headers.get('retry-after') }).toEqual({
      code: 429,
      reason: 'TooManyRequests',
      wait: '1',
    });
  });
});

describe('unusual paths', () => {
  it.each([
    ['/api%2Fv1%2Fnamespaces', 'an encoded slash separates segments'],
    ['/%61pi/v1/namespaces', 'letters may be encoded'],
    ['/api/v1/namespaces//', 'slashes at the end are ignored'],
    ['/api/v1/namespaces//configmaps', 'an empty namespace means all namespaces'],
    [`${PATH.replace('/namespaces/', '%2Fnamespaces%2F')}/`, 'this applies to custom resources'],
    ['/version//', 'this applies to the version'],
  ])('are accepted, such as %s: %s', async (path) => {
    expect((await call('GET', path)).code).toBe(200);
  });

  it('are authorized for the object that they resolve to', async () => {
    const asked: unknown[] = [];
    const authorize = (_: unknown, attributes: unknown) => {
      asked.push(attributes);
      return false;
    };
    const { call: ask } = await createTestServer({ authorize });
    const answer = await ask('GET', `${PATH}%2Fone%2Fstatus`);
    expect(answer.code).toBe(403);
    expect(asked).toEqual([
      expect.objectContaining({
        verb: 'get',
        resource: 'gizmos',
        namespace: 'default',
        name: 'one',
        subresource: 'status',
      }),
    ]);
  });
});
