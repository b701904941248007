import { beforeEach, describe, expect, it } from 'vitest';
import { OLD_PATH, oldGizmo, VERSIONED_KINDS } from '../versions/test-version.ts';
import { applierTo, config, MERGE, managers } from './test-apply.ts';
import { createTestServer, PATH } from './test-server.ts';

let server: Awaited<ReturnType<typeof createTestServer>>;
beforeEach(async () => {
  server = await createTestServer({ resources: VERSIONED_KINDS });
});

const apply = applierTo(() => server);

describe('a further served version', () => {
  const path = `${OLD_PATH}/one`;
  const old = (spec: object) => ({ ...oldGizmo('one'), spec });

  it('can be applied, and its fields are recorded in that version', async () => {
    const created = await apply('old', old({ version: 'v1.30', count: 2, parts: { a: 1, b: 2 } }), { path });
    expect(created).toMatchObject({ code: 201, body: { apiVersion: 'toys.windlass.dev/v1beta1', spec: { count: 2 } } });
    expect(created.body.metadata.managedFields).toMatchObject([
      {
        manager: 'old',
        apiVersion: 'toys.windlass.dev/v1beta1',
        fieldsV1: { 'f:spec': { 'f:count': {}, 'f:parts': { 'f:a': {}, 'f:b': {} }, 'f:version': {} } },
      },
    ]);
    await apply('old', old({ version: 'v1.30', count: 2, parts: { b: 2 } }), { path });
    expect((await server.call('GET', `${PATH}/one`)).body.spec).toMatchObject({
      size: 2,
      parts: [{ name: 'b', count: 2 }],
    });
  });

  it('is not written again by an identical apply', async () => {
    const config = old({ version: 'v1.30', count: 2, colour: 'red' });
    const { body } = await apply('old', config, { path });
    server.advance(60_000);
    expect((await apply('old', config, { path })).body).toEqual(body);
    expect(server.written).toHaveLength(1);
  });

  it('conflicts with the other version, with the field name in the version of the owner', async () => {
    await apply('old', old({ version: 'v1.30', count: 2 }), { path });
    const refused = await apply('new', config({ version: 'v1.30', size: 3 }));
    expect(refused).toMatchObject({
      code: 409,
      body: { message: 'Apply failed with 1 conflict: conflict with "old": .spec.count' },
    });
    await apply('new', config({ version: 'v1.30', size: 3 }), { query: '&force=true' });
    const back = await apply('old', old({ version: 'v1.30', count: 2 }), { path });
    expect(back.body.message).toBe('Apply failed with 1 conflict: conflict with "new": .spec.size');
  });

  it('removes fields of the other version that the same applier omits, whatever their names', async () => {
    await apply('me', old({ version: 'v1.30', count: 2, parts: { a: 1, b: 2 } }), { path });
    const moved = await apply('me', config({ version: 'v1.30', parts: [{ name: 'b', count: 2 }] }));
    expect(moved).toMatchObject({ code: 200, body: { spec: { version: 'v1.30', parts: [{ name: 'b', count: 2 }] } } });
    expect(moved.body.spec).not.toHaveProperty('size', 2);
    const back = await apply('me', old({ version: 'v1.30' }), { path });
    expect(back.body.spec).not.toHaveProperty('parts');
    expect(managers(back)).toEqual(['me Apply']);
  });

  it('keeps fields of the other version that another manager owns, whatever their names', async () => {
    await apply('new', config({ version: 'v1.30', size: 2 }));
    await apply('old', old({ version: 'v1.30', count: 2 }), { path });
    expect((await apply('new', config({ version: 'v1.30' }))).body.spec).toMatchObject({ size: 2 });
    expect((await apply('old', old({ version: 'v1.30' }), { path })).body.spec).not.toHaveProperty('count', 2);
  });

  it('loses fields that are changed in the other version, and records its own changes', async () => {
    await server.call('POST', `${OLD_PATH}?fieldManager=old`, oldGizmo('one', { count: 2 }));
    const { body } = await server.call('PATCH', `${PATH}/one?fieldManager=new`, { spec: { size: 3 } }, MERGE);
    expect(managers({ body })).toEqual(['new Update', 'old Update']);
    const fields = body.metadata.managedFields.map(({ fieldsV1 }: { fieldsV1: { 'f:spec': object } }) =>
      Object.keys(fieldsV1['f:spec']),
    );
    expect(fields).toEqual([['f:size'], ['.', 'f:version']]);
  });
});
