import { beforeEach, describe, expect, it } from 'vitest';
import { gizmo } from '../test-kinds.ts';
import { createTestServer, PATH } from './test-server.ts';

let { call, written }: Awaited<ReturnType<typeof createTestServer>> = await createTestServer();

beforeEach(async () => {
  ({ call, written } = await createTestServer());
});

const MERGE = { 'content-type': 'application/merge-patch+json' };
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

describe('writing objects', () => {
  it('responds to a creation with 201 and reports the write', async () => {
    const { code, body } = await call('POST', PATH, { ...gizmo('one'), metadata: { name: 'one' } });
    expect(code).toBe(201);
    expect(body.metadata).toMatchObject({ name: 'one', namespace: 'default', generation: 1 });
    expect(written).toMatchObject([{ type: 'created', object: { metadata: { name: 'one' } } }]);
  });

  it('accepts YAML bodies, and reports the line of a syntax error', async () => {
    const yaml = 'apiVersion: toys.windlass.dev/v1beta2\nkind: Gizmo\nmetadata: {name: one}\nspec: {version: v1.30}\n';
    const type = { 'content-type': 'application/yaml' };
    expect((await call('POST', PATH, yaml, type)).code).toBe(201);
    const broken = await call('POST', PATH, 'a: [b', type);
    expect(broken.code).toBe(400);
    expect(broken.body.message).toMatch(/^the body of the request is not valid YAML: .*line 1/);
  });

  it('refuses unreadable bodies', async () => {
    expect((await call('POST', PATH, '{"a":', { 'content-type': 'application/json' })).code).toBe(400);
    expect((await call('POST', PATH, '<a/>', { 'content-type': 'application/xml' })).code).toBe(415);
    expect((await call('POST', PATH)).body.message).toBe('the body of the request must be an object');
    const polluted = await call('POST', PATH, '{"metadata":{"labels":{"__proto__":{"a":"b"}}}}');
    expect(polluted.body.message).toBe('field name "__proto__" is not allowed: metadata.labels.__proto__');
  });

  it('does not quote a secret value from malformed JSON', async () => {
    const { body } = await call('POST', PATH, '{"stringData":{"password":"hunter2" "x"}}');
    expect(body.code).toBe(400);
    expect(body.message).not.toContain('hunter2');
  });

  it('refuses names and namespaces that contradict the URL', async () => {
    const namespaced = await call('POST', PATH, gizmo('one', {}, { namespace: 'kube-system' }));
    expect(namespaced.body.message).toBe(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
    await call('POST', PATH, gizmo('one'));
    const named = await call('PUT', `${PATH}/one`, gizmo('two', {}, { resourceVersion: '2' }));
    expect(named.body.message).toBe('the name of the object (two) does not match the name on the URL (one)');
  });

  it('obeys fieldValidation and dryRun, and returns warnings', async () => {
    const bogus = { ...gizmo('one', { version: 'v0.1' }), bogus: 1 };
    const strict = await call('POST', `${PATH}?fieldValidation=Strict`, bogus);
    expect(strict).toMatchObject({ code: 400, body: { reason: 'BadRequest' } });
    const warned = await call('POST', `${PATH}?fieldValidation=Warn&dryRun=All`, bogus);
    expect(warned.code).toBe(201);
    expect(warned.headers.get('warning')).toBe('299 - "unknown field \\"bogus\\"", 299 - "spec.version: v0.1 is old"');
    expect((await call('GET', `${PATH}/one`)).code).toBe(404);
    expect((await call('POST', `${PATH}?fieldValidation=Loose`, bogus)).code).toBe(422);
    expect((await call('POST', `${PATH}?dryRun=Some`, bogus)).body.message).toContain('supported values: "All"');
    expect(written).toEqual([]);
  });

  it('requires a resource version to replace a custom resource, but not a ConfigMap', async () => {
    const missing = await call('PUT', `${PATH}/one`, gizmo('one'));
    expect(missing).toMatchObject({ code: 404, body: { reason: 'NotFound' } });
    const { body: one } = await call('POST', PATH, gizmo('one'));
    const blind = await call('PUT', `${PATH}/one`, gizmo('one', { size: 2 }));
    expect(blind.body.details.causes[0]).toEqual({
      reason: 'FieldValueInvalid',
      message: 'Invalid value: 0: must be specified for an update',
      field: 'metadata.resourceVersion',
    });
    const replaced = await call('PUT', `${PATH}/one`, { ...one, spec: { ...one.spec, size: 2 } });
    expect(replaced).toMatchObject({ code: 200, body: { spec: { size: 2 }, metadata: { generation: 2 } } });
    expect((await call('PUT', `${PATH}/one`, one)).code).toBe(409);
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'map' }, data: { a: 'b' } };
    await call('POST', CONFIG_MAPS, map);
    expect((await call('PUT', `${CONFIG_MAPS}/map`, { ...map, data: { c: 'd' } })).body.data).toEqual({ c: 'd' });
  });
});

describe('patches', () => {
  it('merge objects, and remove fields with null', async () => {
    await call('POST', PATH, gizmo('one', {}, { labels: { a: 'b', c: 'd' } }));
    const { code, body } = await call(
      'PATCH',
      `${PATH}/one`,
      { metadata: { labels: { a: null } }, spec: { size: 4 } },
      MERGE,
    );
    expect(code).toBe(200);
    expect(body).toMatchObject({ metadata: { labels: { c: 'd' } }, spec: { size: 4, version: 'v1.30' } });
    expect(body.metadata.labels).not.toHaveProperty('a');
  });

  it('in JSON patch format are applied, and refused if a test fails', async () => {
    await call('POST', PATH, gizmo('one'));
    const type = { 'content-type': 'application/json-patch+json' };
    const patched = await call('PATCH', `${PATH}/one`, [{ op: 'replace', path: '/spec/size', value: 7 }], type);
    expect(patched.body.spec.size).toBe(7);
    const failed = await call('PATCH', `${PATH}/one`, [{ op: 'test', path: '/spec/size', value: 1 }], type);
    expect(failed).toMatchObject({ code: 422, body: { reason: 'Invalid' } });
    expect((await call('PATCH', `${PATH}/one`, [{ op: 'replace', path: '/__proto__/x', value: 1 }], type)).code).toBe(
      422,
    );
    expect((await call('PATCH', `${PATH}/one`, { no: 'list' }, type)).code).toBe(400);
  });

  it('in strategic merge format are accepted only for built-in kinds, and unknown formats are refused with 415', async () => {
    await call('POST', PATH, gizmo('one'));
    await call('POST', CONFIG_MAPS, {
      kind: 'ConfigMap',
      metadata: { name: 'map', finalizers: ['a/b'] },
      data: { a: 'b' },
    });
    const type = { 'content-type': 'application/strategic-merge-patch+json' };
    const patch = { metadata: { finalizers: ['c/d'] }, data: { a: null, e: 'f' } };
    const { body } = await call('PATCH', `${CONFIG_MAPS}/map`, patch, type);
    expect(body).toMatchObject({ metadata: { finalizers: ['c/d', 'a/b'] }, data: { e: 'f' } });
    for (const unsupported of [type, { 'content-type': 'text/plain' }]) {
      const refused = await call('PATCH', `${PATH}/one`, {}, unsupported);
      expect(refused.code).toBe(415);
      expect(refused.body.message).toBe(
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
      );
    }
  });

  it('are refused with unknown fields and with an outdated resource version', async () => {
    await call('POST', PATH, gizmo('one'));
    const strict = await call('PATCH', `${PATH}/one?fieldValidation=Strict`, { spec: { bogus: 1 } }, MERGE);
    expect(strict.code).toBe(422);
    expect(strict.body.message).toContain('strict decoding error: unknown field "spec.bogus"');
    expect((await call('PATCH', `${PATH}/one`, { metadata: { resourceVersion: '1' } }, MERGE)).code).toBe(409);
  });

  it('treat a resource version of 0 as absent', async () => {
    const unversioned = gizmo('one', {}, { resourceVersion: '0' });
    expect((await call('POST', PATH, unversioned)).code).toBe(201);
    const replaced = await call('PUT', `${PATH}/one`, unversioned);
    expect(replaced).toMatchObject({
      code: 422,
      body: { details: { causes: [{ field: 'metadata.resourceVersion' }] } },
    });
    for (const resourceVersion of [null, '0']) {
      expect((await call('PATCH', `${PATH}/one`, { metadata: { resourceVersion } }, MERGE)).code).toBe(422);
    }
  });
});

describe('subresources', () => {
  it('keep status separate from the rest', async () => {
    await call('POST', PATH, gizmo('one'));
    const patch = { spec: { size: 9 }, status: { phase: 'Up' } };
    const { body } = await call('PATCH', `${PATH}/one/status`, patch, MERGE);
    expect(body).toMatchObject({ spec: { size: 1 }, status: { phase: 'Up' }, metadata: { generation: 1 } });
    expect((await call('PATCH', `${PATH}/one`, { status: { phase: 'Down' } }, MERGE)).body.status.phase).toBe('Up');
    expect((await call('GET', `${PATH}/one/status`)).body.status.phase).toBe('Up');
  });

  it('show and change the scale', async () => {
    await call('POST', PATH, gizmo('one'));
    await call('PATCH', `${PATH}/one/status`, { status: { size: 1, selector: 'a=b' } }, MERGE);
    const { body } = await call('PATCH', `${PATH}/one/scale`, { spec: { replicas: 3 } }, MERGE);
    expect(body).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'one' },
      spec: { replicas: 3 },
      status: { replicas: 1, selector: 'a=b' },
    });
    expect((await call('GET', `${PATH}/one`)).body).toMatchObject({ spec: { size: 3 }, metadata: { generation: 2 } });
    expect((await call('PUT', `${PATH}/one/scale`, { ...body, spec: { replicas: 5 } })).body.spec.replicas).toBe(5);
    expect((await call('PUT', `${PATH}/one/scale`, { ...body, spec: { replicas: 6 } })).code).toBe(409);
    const negative = await call('PATCH', `${PATH}/one/scale`, { spec: { replicas: -1 } }, MERGE);
    expect(negative.body.message).toBe(
      'Gizmo.toys.windlass.dev "one" is invalid: .spec.size: Invalid value: -1: should be a non-negative integer',
    );
    const none = await call('PATCH', `${PATH}/one/scale`, { spec: null }, MERGE);
    expect(none.body).toMatchObject({ spec: {}, status: { replicas: 1 } });
  });

  it.each([
    [{ kind: 'Other' }, 400],
    [{ metadata: { name: 'two' } }, 400],
    [{ metadata: {} }, 400],
    [{ metadata: { name: 'one', namespace: 'elsewhere' } }, 400],
    [{ metadata: { name: 'one', uid: 'another' } }, 409],
    [{ spec: { replicas: 'x' } }, 400],
    [{ spec: { replicas: 3_000_000_000 } }, 400],
    [{ kind: undefined }, 200],
  ])('answer a replacement of the scale with %j by %d', async (wrong, code) => {
    await call('POST', PATH, gizmo('one'));
    const { body } = await call('GET', `${PATH}/one/scale`);
    expect((await call('PUT', `${PATH}/one/scale`, { ...body, ...wrong })).code).toBe(code);
  });

  it('refuse a patch that does not yield a valid scale', async () => {
    await call('POST', PATH, gizmo('one'));
    const { code, body } = await call('PATCH', `${PATH}/one/scale`, { spec: { replicas: 'x' } }, MERGE);
    expect({ code, causes: body.details.causes }).toMatchObject({ code: 422, causes: [{ field: 'patch' }] });
    const strict = await call('PATCH', `${PATH}/one/scale?fieldValidation=Strict`, { bogus: 1 }, MERGE);
    expect(strict.code).toBe(422);
    const warned = await call('PATCH', `${PATH}/one/scale`, { bogus: 1 }, MERGE);
    expect(warned.headers.get('warning')).toContain('unknown field');
  });

  it('do not exist if the kind has none', async () => {
    expect((await call('GET', `${CONFIG_MAPS}/map/scale`)).code).toBe(404);
    expect((await call('GET', `${PATH}/one/logs`)).code).toBe(404);
  });
});

describe('deleting objects', () => {
  it('returns a Status if the object is gone, and the object if finalizers hold it', async () => {
    const { body: one } = await call('POST', PATH, gizmo('one'));
    const gone = await call('DELETE', `${PATH}/one`, {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: 'Background',
    });
    expect(gone.body).toMatchObject({
      kind: 'Status',
      status: 'Success',
      details: { name: 'one', group: 'toys.windlass.dev', kind: 'gizmos', uid: one.metadata.uid },
    });
    await call('POST', PATH, gizmo('two', {}, { finalizers: ['a/b'] }));
    const held = await call('DELETE', `${PATH}/two`);
    expect(held).toMatchObject({
      code: 200,
      body: { kind: 'Gizmo', metadata: { deletionTimestamp: '2026-01-02T03:04:05Z' } },
    });
    const released = await call('PATCH', `${PATH}/two`, { metadata: { finalizers: null } }, MERGE);
    expect(released.code).toBe(200);
    expect((await call('GET', `${PATH}/two`)).code).toBe(404);
    expect(written.map(({ type }) => type)).toEqual(['created', 'deleted', 'created', 'updated', 'deleted']);
  });

  it('obeys preconditions, dryRun and policies', async () => {
    await call('POST', PATH, gizmo('one'));
    expect((await call('DELETE', `${PATH}/one`, { preconditions: { uid: 'other' } })).code).toBe(409);
    expect((await call('DELETE', `${PATH}/one`, { dryRun: ['All'] })).body.status).toBe('Success');
    expect((await call('DELETE', `${PATH}/one`, { propagationPolicy: 'Sideways' })).code).toBe(422);
    expect((await call('DELETE', `${PATH}/one`, { propagationPolicy: '' })).code).toBe(422);
    expect((await call('DELETE', `${PATH}/one?orphanDependents=true&dryRun=All`)).body.metadata.finalizers).toEqual([
      'orphan',
    ]);
    expect((await call('DELETE', `${PATH}/one?gracePeriodSeconds=abc`)).code).toBe(400);
    expect((await call('DELETE', `${PATH}/one`, { gracePeriodSeconds: 'abc' })).code).toBe(400);
    expect((await call('DELETE', `${PATH}/one`, { kind: 'Gizmo' })).code).toBe(400);
    // The query is ignored if there is a body.
    const dry = await call('DELETE', `${PATH}/one?propagationPolicy=Orphan`, { dryRun: ['All'] });
    expect(dry.body).toMatchObject({ status: 'Success' });
    expect((await call('DELETE', `${PATH}/one?propagationPolicy=Orphan`)).body.metadata.finalizers).toEqual(['orphan']);
  });

  it('accepts the older field for a cascading deletion, and reports that the deletion continues', async () => {
    await call('POST', PATH, gizmo('one', {}, { finalizers: ['orphan', 'a/b'] }));
    const held = await call('DELETE', `${PATH}/one`, { orphanDependents: false });
    expect(held).toMatchObject({ code: 202, body: { kind: 'Gizmo' } });
    expect(held.body.metadata.finalizers).toEqual(['a/b']);
  });

  it('deletes only the matching objects of a collection', async () => {
    await call('POST', PATH, gizmo('one', {}, { labels: { a: 'b' } }));
    await call('POST', PATH, gizmo('two'));
    const { body } = await call('DELETE', `${PATH}?labelSelector=a=b`);
    expect(body).toMatchObject({ kind: 'GizmoList', items: [{ metadata: { name: 'one' } }] });
    expect(
      (await call('GET', PATH)).body.items.map((item: { metadata: { name: string } }) => item.metadata.name),
    ).toEqual(['two']);
  });

  it('deletes a collection page by page, as it is listed', async () => {
    for (const name of ['one', 'two', 'three']) await call('POST', PATH, gizmo(name));
    const { body } = await call('DELETE', `${PATH}?limit=2`);
    expect(body).toMatchObject({ items: [{}, {}], metadata: { continue: expect.any(String), remainingItemCount: 1 } });
    const { items } = (await call('GET', PATH)).body;
    expect(items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(['two']);
    expect((await call('DELETE', `${PATH}?resourceVersionMatch=Exact`)).code).toBe(422);
  });
});
