import { describe, expect, it } from 'vitest';
import { kinds } from '../kinds/index.ts';
import { createTestServer } from '../kube-api/server/test-server.ts';
import { TEST_KINDS } from '../kube-api/test-kinds.ts';
import type { Send } from './answers.ts';
import { anyObjects } from './any-object.ts';
import { type AnyObject, WorkloadRefusedError, WorkloadUnreachableError } from './client.ts';

const configMap = (name: string, data: Record<string, string>, namespace?: string): AnyObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...(namespace ? { namespace } : {}) },
  data,
});

const world = async () => {
  const { call } = await createTestServer({ resources: [...TEST_KINDS, kinds.configMap] });
  const paths: string[] = [];
  const state = { fails: undefined as undefined | number | Error };
  const send: Send = async ({ method, path, body }) => {
    paths.push(`${method} ${path}`);
    if (state.fails instanceof Error) throw state.fails;
    if (state.fails) return { code: state.fails, text: 'upstream connect error' };
    const answer = await call(method, path, body && JSON.stringify(body.value), body && { 'content-type': body.type });
    return { code: answer.code, text: JSON.stringify(answer.body) };
  };
  return { call, paths, state, ...anyObjects(send) };
};

describe('objects of any kind', () => {
  it('are created or changed by a merge patch, in the name of the manager', async () => {
    const { call, paths, merge } = await world();
    await merge(configMap('a', { mine: 'old' }), 'tester');
    await call('PATCH', '/api/v1/namespaces/default/configmaps/a', '{"data":{"theirs":"kept"}}', {
      'content-type': 'application/merge-patch+json',
    });
    await merge(configMap('a', { mine: 'new' }), 'tester');
    const { body } = await call('GET', '/api/v1/namespaces/default/configmaps/a');
    expect(body.data).toEqual({ mine: 'new', theirs: 'kept' });
    expect(paths.filter((path) => path.startsWith('POST'))).toEqual([
      'POST /api/v1/namespaces/default/configmaps?fieldManager=tester',
    ]);
    expect(body.metadata.managedFields).toContainEqual(
      expect.objectContaining({ manager: 'tester', operation: 'Update' }),
    );
  });

  it('are applied by server-side apply, in the name of the manager, over what others have set', async () => {
    const { call, apply, exists } = await world();
    const path = '/api/v1/namespaces/default/configmaps/a';
    await call('POST', '/api/v1/namespaces/default/configmaps', configMap('a', { mine: 'old', theirs: 'kept' }));
    await apply(configMap('a', { mine: 'new' }), 'tester');
    const { body } = await call('GET', path);
    expect(body.data).toEqual({ mine: 'new', theirs: 'kept' });
    expect(body.metadata.managedFields).toContainEqual(
      expect.objectContaining({ manager: 'tester', operation: 'Apply' }),
    );
    await apply(configMap('a', { other: 'x' }), 'tester');
    expect((await call('GET', path)).body.data).toEqual({ other: 'x', theirs: 'kept' });
    expect([await exists(configMap('a', {})), await exists(configMap('b', {}))]).toEqual([true, false]);
  });

  it('are read, created once, and replaced if their version matches', async () => {
    const { create, read, replace } = await world();
    expect(await read(configMap('a', {}))).toBeUndefined();
    await create(configMap('a', { v: '1' }));
    await create(configMap('a', { v: '2' }));
    const found = await read(configMap('a', {}));
    expect(found?.data).toEqual({ v: '1' });

    const written = await replace({ ...configMap('a', { v: '3' }), metadata: found?.metadata ?? { name: 'a' } });
    expect(written.data).toEqual({ v: '3' });
    const late = replace({ ...configMap('a', { v: '4' }), metadata: found?.metadata ?? { name: 'a' } });
    await expect(late).rejects.toMatchObject({ name: 'Conflict' });
  });

  it('that a conflict keeps from being created do not count as created', async () => {
    const status = { reason: 'Conflict', message: 'Operation cannot be fulfilled on resourcequotas "all"' };
    const send: Send = async ({ method }) =>
      method === 'GET'
        ? {
            code: 200,
            text: JSON.stringify({ resources: [{ kind: 'ConfigMap', name: 'configmaps', namespaced: true }] }),
          }
        : { code: 409, text: JSON.stringify(status) };
    await expect(anyObjects(send).create(configMap('a', {}))).rejects.toMatchObject({ code: 409, reason: 'Conflict' });
  });

  it('of cluster scope have no namespace, whatever the manifest contains', async () => {
    const { apply, call } = await world();
    await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'red', namespace: 'default' } }, 'tester');
    expect((await call('GET', '/api/v1/namespaces/red')).code).toBe(200);
  });

  it('request the path of a group version only once', async () => {
    const { apply, paths } = await world();
    for (const name of ['a', 'b', 'c']) await apply(configMap(name, {}, 'default'), 'tester');
    expect(paths.filter((path) => path === 'GET /api/v1')).toHaveLength(1);
  });

  it('of an unknown kind are refused by name, and looked up again the next time', async () => {
    const { apply, paths } = await world();
    const object = { apiVersion: 'example.com/v1', kind: 'Toy', metadata: { name: 'a' } };
    const refused = {
      name: 'WorkloadRefused',
      reason: 'UnknownKind',
      words: 'the cluster serves no kind Toy in example.com/v1',
    };
    await expect(apply(object, 'tester')).rejects.toMatchObject(refused);
    await expect(apply(object, 'tester')).rejects.toMatchObject(refused);
    expect(paths).toEqual(['GET /apis/example.com/v1', 'GET /apis/example.com/v1']);
  });

  it('that are refused are reported with the reason and the fields', async () => {
    const { apply } = await world();
    const error = await apply(configMap('Not A Name', {}), 'tester').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(WorkloadRefusedError);
    expect(error).toMatchObject({ code: 422, reason: 'Invalid', causes: [{ field: 'metadata.name' }] });
  });

  it.each([new Error('ECONNREFUSED'), 503])(
    'are not reported as refused by a server that does not answer: %s',
    async (fails) => {
      const { apply, state } = await world();
      state.fails = fails;
      await expect(apply(configMap('a', {}), 'tester')).rejects.toBeInstanceOf(WorkloadUnreachableError);
    },
  );
});
