import { describe, expect, it } from 'vitest';
import { createTestServer } from '../../test-server.ts';
import { documentMessage } from './messages.ts';

const { call, send } = await createTestServer();

const GIZMO = 'dev.windlass.toys.v1beta2.Gizmo';
const PATH = '/apis/toys.windlass.dev/v1beta2/namespaces/{namespace}/gizmos/{name}';
const PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

describe('/openapi/v2', () => {
  it('describes every kind, with references of its own version', async () => {
    const { body } = await call('GET', '/openapi/v2', undefined, { accept: 'application/json' });
    expect(body.swagger).toBe('2.0');
    const gizmo = body.definitions[GIZMO];
    expect(gizmo['x-kubernetes-group-version-kind']).toEqual([
      { group: 'toys.windlass.dev', version: 'v1beta2', kind: 'Gizmo' },
    ]);
    expect(gizmo.properties.metadata.$ref).toBe('#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
    expect(gizmo.properties.spec.properties.parts).toMatchObject({ 'x-kubernetes-list-map-keys': ['name'] });
    expect(JSON.stringify(body)).not.toContain('#/components');
    expect(body.definitions['io.k8s.api.core.v1.ConfigMap']).toBeDefined();
  });

  it('shows the descriptions of fields, which are loaded with the first document', async () => {
    let loads = 0;
    const loadTexts = async () => {
      loads += 1;
      return () => ({ text: 'A gizmo.', fields: { spec: ['What it does.', { size: 'How large it is.' }] as const } });
    };
    const described = await createTestServer({ loadTexts });
    await described.call('GET', '/apis/toys.windlass.dev/v1beta2');
    expect(loads).toBe(0);
    const { body: old } = await described.call('GET', '/openapi/v2');
    expect(old.definitions[GIZMO]).toMatchObject({ description: 'A gizmo.' });
    expect(old.definitions[GIZMO].properties.spec.properties.size.description).toBe('How large it is.');
    const { body } = await described.call('GET', '/openapi/v3/apis/toys.windlass.dev/v1beta2');
    expect(body.components.schemas[GIZMO].properties.spec.properties.size.description).toBe('How large it is.');
    expect(body.components.schemas[GIZMO].properties.metadata.description).toContain('ownership');
    expect(loads).toBe(1);
  });

  it('lists the parameters of PATCH, from which clients read what the server supports', async () => {
    const { body } = await call('GET', '/openapi/v2');
    const { patch } = body.paths[PATH];
    expect(patch['x-kubernetes-group-version-kind'].kind).toBe('Gizmo');
    expect(patch.parameters).toContainEqual(expect.objectContaining({ name: 'dryRun', in: 'query', type: 'string' }));
    expect(patch.parameters[0]).toMatchObject({ in: 'body', name: 'body' });
    expect(patch.consumes).toContain('application/merge-patch+json');
  });

  it('is encoded as protobuf for clients that request it', async () => {
    const response = await send('GET', '/openapi/v2', undefined, { accept: PROTOBUF });
    expect(response.headers.get('content-type')).toBe('application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
    const type = documentMessage('Document');
    const bytes = new Uint8Array(await response.arrayBuffer());
    const document = type?.toObject(type.decode(bytes), { longs: Number }) as { definitions?: unknown };
    const definitions = (document.definitions as unknown as { additionalProperties: { name: string; value: never }[] })
      .additionalProperties;
    const gizmo = definitions.find(({ name }) => name === GIZMO)?.value;
    expect(gizmo).toMatchObject({
      type: { value: ['object'] },
      vendorExtension: [
        {
          name: 'x-kubernetes-group-version-kind',
          value: { yaml: '[{"group":"toys.windlass.dev","version":"v1beta2","kind":"Gizmo"}]' },
        },
      ],
    });
  });

  it('is not sent again to clients that have the current document, and is refused in other formats', async () => {
    const etag = (await send('GET', '/openapi/v2')).headers.get('etag') ?? '';
    expect((await send('GET', '/openapi/v2', undefined, { 'if-none-match': etag })).status).toBe(304);
    expect((await call('GET', '/openapi/v2', undefined, { accept: 'text/plain' })).code).toBe(406);
  });
});
