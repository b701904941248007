import { beforeEach, describe, expect, it } from 'vitest';
import { gizmo } from '../test-kinds.ts';
import { APPLY, applierTo, config, MERGE, managers } from './test-apply.ts';
import { createTestServer, PATH } from './test-server.ts';

let server: Awaited<ReturnType<typeof createTestServer>>;
beforeEach(async () => {
  server = await createTestServer();
});

const apply = applierTo(() => server);

describe('server-side apply', () => {
  it('responds with 201 to a creation and with 200 to a change', async () => {
    const created = await apply('me', config({ version: 'v1.30', size: 2 }));
    expect(created).toMatchObject({
      code: 201,
      body: { spec: { size: 2, mode: 'Slow' }, metadata: { generation: 1 } },
    });
    expect(created.body.metadata.managedFields).toEqual([
      {
        manager: 'me',
        operation: 'Apply',
        apiVersion: 'toys.windlass.dev/v1beta2',
        time: '2026-01-02T03:04:05Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:size': {}, 'f:version': {} } },
      },
    ]);
    const changed = await apply('me', config({ version: 'v1.30', size: 3 }));
    expect(changed).toMatchObject({ code: 200, body: { spec: { size: 3 }, metadata: { generation: 2 } } });
  });

  it('accepts YAML', async () => {
    const yaml = 'apiVersion: toys.windlass.dev/v1beta2\nkind: Gizmo\nmetadata: {name: one}\nspec: {version: v1.30}\n';
    expect(await apply('me', yaml)).toMatchObject({ code: 201, body: { spec: { version: 'v1.30' } } });
  });

  it('writes nothing when the same config is applied again, at any time', async () => {
    const { body } = await apply('me', config({ version: 'v1.30' }));
    server.advance(60_000);
    expect((await apply('me', config({ version: 'v1.30' }))).body).toEqual(body);
    expect(server.written).toHaveLength(1);
  });

  it('refuses to take fields over, with 409 and a cause for each, unless it is forced', async () => {
    await apply('me', config({ version: 'v1.30', size: 2 }));
    await server.call('PATCH', `${PATH}/one?fieldManager=scaler`, { spec: { size: 5 } }, MERGE);
    const refused = await apply('me', config({ version: 'v1.30', size: 2 }));
    expect(refused).toMatchObject({
      code: 409,
      body: {
        reason: 'Conflict',
        message: 'Apply failed with 1 conflict: conflict with "scaler" using toys.windlass.dev/v1beta2: .spec.size',
        details: {
          causes: [
            {
              reason: 'FieldManagerConflict',
              message: 'conflict with "scaler" using toys.windlass.dev/v1beta2',
              field: '.spec.size',
            },
          ],
        },
      },
    });
    expect((await apply('you', config({ version: 'v1.31', size: 2 }))).body.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "me":\n- .spec.version\n' +
        'conflicts with "scaler" using toys.windlass.dev/v1beta2:\n- .spec.size',
    );
    const forced = await apply('me', config({ version: 'v1.30', size: 2 }), { query: '&force=true' });
    expect(forced).toMatchObject({ code: 200, body: { spec: { size: 2 } } });
    expect(managers(forced)).toEqual(['me Apply']);
  });

  it('restores a default when a field is given up', async () => {
    await apply('me', config({ version: 'v1.30', size: 2, parts: [{ name: 'a', count: 1 }] }));
    const { body } = await apply('me', config({ version: 'v1.30' }));
    expect(body.spec).toEqual({ version: 'v1.30', size: 1, mode: 'Slow' });
  });

  it('stores nothing in a dry run', async () => {
    const query = '&dryRun=All';
    expect((await apply('me', config({ version: 'v1.30' }), { query })).code).toBe(201);
    expect((await server.call('GET', `${PATH}/one`)).code).toBe(404);
  });

  it('checks the uid and the resource version in the config', async () => {
    expect(await apply('me', config({ version: 'v1.30' }, { uid: 'u' }))).toMatchObject({
      code: 409,
      body: { message: expect.stringContaining('uid mismatch: the provided object specified uid u') },
    });
    const { body } = await apply('me', config({ version: 'v1.30' }));
    const { resourceVersion } = body.metadata;
    expect(await apply('me', config({ version: 'v1.30' }, { uid: 'u' }))).toMatchObject({
      code: 422,
      body: { message: expect.stringContaining('metadata.uid: Invalid value: "u": field is immutable') },
    });
    expect((await apply('me', config({ version: 'v1.31' }, { resourceVersion }))).code).toBe(200);
    expect((await apply('me', config({ version: 'v1.32' }, { resourceVersion }))).body.reason).toBe('Conflict');
  });

  it.each<[string, unknown, string]>([
    ['an unknown field', config({ bogus: 1 }), '.spec.bogus: field not declared in schema'],
    ['a wrong type', config({ size: 'x' }), '.spec.size: expected numeric (int or float), got string'],
    [
      'duplicate keys',
      config({ parts: [{ name: 'a' }, { name: 'a' }] }),
      '.spec.parts: duplicate entries for key [name="a"]',
    ],
    ['managedFields', config({}, { managedFields: [] }), 'metadata.managedFields must be nil'],
    [
      'another version',
      { ...config({}), apiVersion: 'toys.windlass.dev/v9' },
      'invalid object type: toys.windlass.dev/v9, Kind=Gizmo',
    ],
    ['another kind', { ...config({}), kind: 'Gadget' }, 'invalid object type: toys.windlass.dev/v1beta2, Kind=Gadget'],
    ['another name', config({}, { name: 'two' }), 'does not match the name on the URL (one)'],
    ['another namespace', config({}, { namespace: 'other' }), 'does not match the namespace on the request (default)'],
    ['something that is not an object', '[]', 'json: cannot unmarshal array into Go value'],
    ['something that is not YAML', '{a: [', 'not valid YAML'],
    ['__proto__', '{"apiVersion":"v1","kind":"Gizmo","__proto__":{"x":1}}', 'field name "__proto__" is not allowed'],
  ])('refuses %s with 400', async (_what, body, message) => {
    expect(await apply('me', body)).toMatchObject({ code: 400, body: { message: expect.stringContaining(message) } });
  });

  it('requires a valid field manager', async () => {
    const unnamed = await server.call('PATCH', `${PATH}/one`, config({}), APPLY);
    expect(unnamed).toMatchObject({
      code: 422,
      body: {
        message: 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
      },
    });
    expect((await apply('x'.repeat(129), config({}))).code).toBe(422);
    expect((await apply('a%07', config({}))).body.message).toContain('invalid character U+0007 (at position 1)');
  });

  it('is the only kind of patch that may be forced', async () => {
    const refused = await server.call('PATCH', `${PATH}/one?force=true`, {}, MERGE);
    expect(refused.body.message).toContain('force: Forbidden: may not be specified for non-apply patch');
  });

  it('requires permission to create an object that does not exist', async () => {
    server = await createTestServer({ authorize: (_user, { verb }) => verb === 'patch' });
    expect((await apply('me', config({ version: 'v1.30' }))).code).toBe(403);
  });

  it('works on built-in kinds, in which a null string becomes an empty one', async () => {
    const path = '/api/v1/namespaces/default/configmaps/map';
    const map = (data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'map' }, data });
    await apply('me', map({ a: '1', b: '2' }), { path });
    await apply('you', map({ c: '3' }), { path });
    expect((await apply('me', map({ a: '1', b: null }), { path })).body.data).toEqual({ a: '1', b: '', c: '3' });
  });
});

describe('subresources', () => {
  it('have separate managers', async () => {
    await apply('me', config({ version: 'v1.30', size: 2 }));
    const status = {
      ...config({ size: 9 }),
      status: { phase: 'Busy', conditions: [{ type: 'Ready', status: 'True' }] },
    };
    const { body } = await apply('me', status, { path: `${PATH}/one/status` });
    expect(body).toMatchObject({ spec: { size: 2 }, status: { phase: 'Busy' } });
    expect(body.metadata.managedFields).toMatchObject([
      { manager: 'me', operation: 'Apply', fieldsV1: { 'f:spec': {} } },
      {
        manager: 'me',
        operation: 'Apply',
        subresource: 'status',
        fieldsV1: {
          'f:status': {
            'f:conditions': { 'k:{"type":"Ready"}': { '.': {}, 'f:status': {}, 'f:type': {} } },
            'f:phase': {},
          },
        },
      },
    ]);
    const ignored = await apply('you', { ...config({ version: 'v1.30' }), status: { phase: 'Idle' } });
    expect(ignored).toMatchObject({ code: 200, body: { status: { phase: 'Busy' } } });
  });

  it('cannot create an object', async () => {
    expect((await apply('me', config({}), { path: `${PATH}/one/status` })).code).toBe(404);
  });

  it('serve the scale in every format', async () => {
    await apply('me', config({ version: 'v1.30', size: 2 }));
    const path = `${PATH}/one/scale`;
    expect((await server.call('HEAD', path)).code).toBe(200);
    const as = (form: string) => ({ accept: `application/json;as=${form};v=v1;g=meta.k8s.io` });
    const { body: table } = await server.call('GET', path, undefined, as('Table'));
    expect(table.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual([
      'Name',
      'Desired',
      'Available',
      'Age',
    ]);
    expect(table.rows[0].cells.slice(0, 3)).toEqual(['one', 2, 0]);
    expect((await server.call('GET', path, undefined, as('PartialObjectMetadata'))).body).not.toHaveProperty('spec');
  });

  it('are ignored in a config of the main resource, which still gets a time', async () => {
    await server.call('POST', PATH, config({ version: 'v1.30' }));
    const { body } = await apply('me', { ...config({ version: 'v1.30' }), status: { phase: 'Ready' } });
    expect(body.metadata.managedFields).toContainEqual(
      expect.objectContaining({ manager: 'me', operation: 'Apply', time: expect.any(String) }),
    );
  });

  it('record the manager of the scale with the subresource, and name it in conflicts', async () => {
    await apply('me', config({ version: 'v1.30', size: 2 }));
    await server.call('PATCH', `${PATH}/one/scale?fieldManager=hpa`, { spec: { replicas: 7 } }, MERGE);
    const refused = await apply('me', config({ version: 'v1.30', size: 2 }));
    expect(refused.body.message).toContain(
      'conflict with "hpa" with subresource "scale" using toys.windlass.dev/v1beta2: .spec.size',
    );
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'one' }, spec: { replicas: 4 } };
    const applied = await apply('me', scale, { path: `${PATH}/one/scale`, query: '&force=true' });
    expect(applied).toMatchObject({ code: 200, body: { kind: 'Scale', spec: { replicas: 4 } } });
    expect(managers(await server.call('GET', `${PATH}/one`))).toEqual(['me Apply', 'me Apply']);
  });
});

describe('other writes', () => {
  it('are recorded under the field manager of the client, or else under its user agent', async () => {
    const agent = { 'user-agent': 'kubectl/v1.32.4 (linux/amd64)' };
    const created = await server.call('POST', PATH, gizmo('one'), agent);
    expect(managers(created)).toEqual(['kubectl Update']);
    const named = await server.call(
      'PATCH',
      `${PATH}/one?fieldManager=edit`,
      { spec: { size: 4 } },
      { ...agent, ...MERGE },
    );
    expect(managers(named)).toEqual(['edit Update', 'kubectl Update']);
    // Fields that the kind's own admission sets have no owner, like those that a webhook sets.
    expect(JSON.stringify(named.body.metadata.managedFields)).not.toContain('f:mode');
  });

  it('are recorded separately for status', async () => {
    await server.call('POST', `${PATH}?fieldManager=a`, gizmo('one'));
    const { body } = await server.call('PATCH', `${PATH}/one/status?fieldManager=a`, { status: { size: 1 } }, MERGE);
    expect(body.metadata.managedFields[1]).toMatchObject({
      manager: 'a',
      subresource: 'status',
      fieldsV1: { 'f:status': { '.': {}, 'f:size': {} } },
    });
  });

  it('ignore managedFields that come through a subresource', async () => {
    await server.call('POST', `${PATH}?fieldManager=a`, gizmo('one'));
    const patch = { metadata: { managedFields: [{}] }, status: { size: 1 } };
    const { body } = await server.call('PATCH', `${PATH}/one/status?fieldManager=b`, patch, MERGE);
    expect(managers({ body })).toEqual(['a Update', 'b Update']);
  });

  it('let a client replace the managers, as kubectl does to change over to server-side apply', async () => {
    const { body } = await server.call('POST', `${PATH}?fieldManager=kubectl-client-side-apply`, gizmo('one'));
    const { managedFields, resourceVersion } = body.metadata;
    const value = [{ ...managedFields[0], manager: 'kubectl', operation: 'Apply' }];
    const patch = [
      { op: 'replace', path: '/metadata/managedFields', value },
      { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
    ];
    const type = { 'content-type': 'application/json-patch+json' };
    const patched = await server.call('PATCH', `${PATH}/one?fieldManager=kubectl-last-applied`, patch, type);
    expect(patched.body.metadata.managedFields).toEqual(value);
  });
});
