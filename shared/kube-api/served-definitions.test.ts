import { describe, expect, it } from 'vitest';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';
import type { TextsOf } from './schema/with-descriptions.ts';
import { servedDefinitions } from './served-definitions.ts';
import { createTestServer } from './server/test-server.ts';
import { TEST_KINDS } from './test-kinds.ts';

const { call } = await createTestServer();

const ALL = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const GIZMOS = `${ALL}/gizmos.toys.windlass.dev`;

describe('CustomResourceDefinitions', () => {
  it('describe how a kind is served', async () => {
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

  it('show the descriptions of fields, which are loaded when the definitions are first read', async () => {
    let loads = 0;
    const loadTexts = async (): Promise<TextsOf> => {
      loads += 1;
      return (kind) =>
        kind === 'Gizmo'
          ? { text: 'A gizmo.', fields: { spec: ['What it does.', { size: 'How large it is.' }] } }
          : undefined;
    };
    const { objects } = servedDefinitions(TEST_KINDS, () => ({}), loadTexts);
    expect(loads).toBe(0);
    const [first] = (await objects()) as CustomResourceDefinition[];
    const schema = first?.spec.versions[0]?.schema.openAPIV3Schema;
    expect(schema?.description).toBe('A gizmo.');
    expect(schema?.properties?.spec?.description).toBe('What it does.');
    expect(schema?.properties?.spec?.properties?.size?.description).toBe('How large it is.');
    await objects();
    expect(loads).toBe(1);
  });

  it('can be listed in every format, and watched', async () => {
    const { body: list } = await call('GET', `${ALL}?limit=1`);
    expect(list).toMatchObject({
      kind: 'CustomResourceDefinitionList',
      items: [{ metadata: { name: 'gizmos.toys.windlass.dev' } }],
    });
    const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
    const { body: partial } = await call('GET', GIZMOS, undefined, { accept });
    expect(partial).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'gizmos.toys.windlass.dev' } });
    expect(partial).not.toHaveProperty('spec');
    const { body: table } = await call('GET', GIZMOS, undefined, {
      accept: accept.replace('PartialObjectMetadata', 'Table'),
    });
    expect(table.columnDefinitions[1]).toMatchObject({ name: 'Created At', type: 'date', format: '' });
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

  it('are advertised as read-only', async () => {
    const { body } = await call('GET', '/apis/apiextensions.k8s.io/v1');
    expect(body.resources[0]).toMatchObject({ name: 'customresourcedefinitions', verbs: ['get', 'list', 'watch'] });
  });
});
