import { describe, expect, it } from 'vitest';
import { createTestServer } from './server/test-server.ts';

const { call } = await createTestServer();

const ALL = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const GIZMOS = `${ALL}/gizmos.toys.windlass.dev`;

describe('CustomResourceDefinitions', () => {
  it('say how a kind is served', async () => {
    const { body } = await call('GET', GIZMOS);
    expect(body.spec.versions).toEqual([
      expect.objectContaining({
        name: 'v1beta2',
        served: true,
        storage: true,
        selectableFields: [{ jsonPath: '.spec.mode' }],
      }),
    ]);
    expect(body.spec).toMatchObject({ scope: 'Namespaced', names: { kind: 'Gizmo', listKind: 'GizmoList' } });
    expect(body.status.conditions).toContainEqual(expect.objectContaining({ type: 'Established', status: 'True' }));
  });

  it('are listed in every form, and watched', async () => {
    const { body: list } = await call('GET', `${ALL}?limit=1`);
    expect(list).toMatchObject({
      kind: 'CustomResourceDefinitionList',
      items: [{ metadata: { name: 'gizmos.toys.windlass.dev' } }],
    });
    const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
    const { body: partial } = await call('GET', GIZMOS, undefined, { accept });
    expect(partial).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'gizmos.toys.windlass.dev' } });
    expect(partial).not.toHaveProperty('spec');
  });

  it.each([
    ['POST', ALL],
    ['DELETE', ALL],
    ['PUT', GIZMOS],
    ['PATCH', GIZMOS],
    ['DELETE', GIZMOS],
    ['PUT', `${GIZMOS}/status`],
  ])('cannot be written: %s %s', async (method, path) => {
    const { code, body } = await call(method, path, {});
    expect(code).toBe(405);
    expect(body.message).toContain('can only be read');
  });

  it('are offered for reading alone', async () => {
    const { body } = await call('GET', '/apis/apiextensions.k8s.io/v1');
    expect(body.resources[0]).toMatchObject({ name: 'customresourcedefinitions', verbs: ['get', 'list', 'watch'] });
  });
});
