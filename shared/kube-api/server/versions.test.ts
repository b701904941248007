import { beforeEach, describe, expect, it } from 'vitest';
import type { WriteEvent } from '../registry/registry.ts';
import { gizmo } from '../test-kinds.ts';
import { CONVERSION_DATA } from '../versions/conversion-data.ts';
import { OLD_PATH, oldGizmo, VERSIONED_KINDS } from '../versions/test-version.ts';
import { createTestServer, PATH } from './test-server.ts';

let { call, send, written }: Awaited<ReturnType<typeof createTestServer>> = await createTestServer();

beforeEach(async () => {
  ({ call, send, written } = await createTestServer({ resources: VERSIONED_KINDS }));
});

const MERGE = { 'content-type': 'application/merge-patch+json' };
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

describe('a further version of a resource', () => {
  it('is written and read in its own form, and stored in the version of the definition', async () => {
    const made = await call('POST', OLD_PATH, oldGizmo('one', { count: 2, colour: 'red' }));
    expect(made.code).toBe(201);
    expect(made.body).toMatchObject({ apiVersion: 'toys.windlass.dev/v1beta1', spec: { count: 2, colour: 'red' } });
    const [event] = written as [WriteEvent];
    expect(event.resource.version).toBe('v1beta2');
    expect(event.object).toMatchObject({ apiVersion: 'toys.windlass.dev/v1beta2', spec: { size: 2, mode: 'Slow' } });

    expect((await call('GET', `${PATH}/one`)).body.spec).toEqual({ size: 2, version: 'v1.30', mode: 'Slow' });
    const listed = await call('GET', OLD_PATH);
    expect(listed.body).toMatchObject({ apiVersion: 'toys.windlass.dev/v1beta1', kind: 'GizmoList' });
    expect(listed.body.items[0].spec).toEqual({ count: 2, version: 'v1.30', colour: 'red' });
  });

  it('is defaulted and validated by its own schema, then validated by the rules of the stored version', async () => {
    const made = await call('POST', OLD_PATH, { ...oldGizmo('one'), spec: {} });
    expect(made.body.spec).toEqual({ version: 'v1.0' });
    const refused = await call('POST', OLD_PATH, oldGizmo('two', { count: -1 }));
    expect(refused).toMatchObject({ code: 422, body: { details: { causes: [{ field: 'spec.count' }] } } });
    const unfit = await call('POST', OLD_PATH, oldGizmo('two', { version: 'latest' }));
    expect(unfit).toMatchObject({ code: 422, body: { details: { causes: [{ field: 'spec.version' }] } } });
    const unknown = await call('POST', `${OLD_PATH}?fieldValidation=Strict`, { ...oldGizmo('two'), spec: { size: 1 } });
    expect(unknown.body.message).toBe(
      'Gizmo in version "v1beta1" cannot be handled as a Gizmo: strict decoding error: unknown field "spec.size"',
    );
    const warned = await call('POST', `${OLD_PATH}?fieldValidation=Warn&dryRun=All`, { ...oldGizmo('two'), size: 1 });
    expect(warned.headers.get('warning')).toContain('unknown field \\"size\\"');
  });

  it('accepts patches in its own form', async () => {
    await call('POST', PATH, gizmo('one', { clusterName: 'red' }));
    const merged = await call('PATCH', `${OLD_PATH}/one`, { spec: { fast: true } }, MERGE);
    expect(merged.body.spec).toEqual({ count: 1, version: 'v1.30', fast: true });
    const patch = [{ op: 'replace', path: '/spec/count', value: 4 }];
    expect((await call('PATCH', `${OLD_PATH}/one`, patch, JSON_PATCH)).body.metadata.generation).toBe(3);
    // The older version cannot express the cluster's name, which survives nevertheless.
    const stored = (await call('GET', `${PATH}/one`)).body;
    expect(stored.spec).toEqual({ size: 4, version: 'v1.30', mode: 'Fast', clusterName: 'red' });
    expect(stored.metadata.annotations).toBeUndefined();
  });

  it('is not written if a replacement equals the stored object', async () => {
    await call('POST', OLD_PATH, oldGizmo('one', { colour: 'red' }));
    const { body } = await call('GET', `${OLD_PATH}/one`);
    const { body: again } = await call('PUT', `${OLD_PATH}/one`, body);
    expect(again.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
    const stale = { ...body, metadata: { ...body.metadata, resourceVersion: '1' } };
    expect((await call('PUT', `${OLD_PATH}/one`, stale)).code).toBe(409);
  });

  it('has its own status and scale', async () => {
    await call('POST', PATH, gizmo('one', { clusterName: 'red' }));
    await call('PATCH', `${PATH}/one/status`, { status: { phase: 'Up' } }, MERGE);
    const status = { count: 1, mood: 'calm' };
    const patched = await call('PATCH', `${OLD_PATH}/one/status`, { status, spec: { count: 9 } }, MERGE);
    expect(patched.body).toMatchObject({ spec: { count: 1 }, status });
    expect((await call('GET', `${OLD_PATH}/one`)).body.status).toEqual(status);
    expect((await call('GET', `${PATH}/one`)).body).toMatchObject({
      spec: { clusterName: 'red' },
      status: { phase: 'Up', size: 1 },
    });
    const scaled = await call('PATCH', `${OLD_PATH}/one/scale`, { spec: { replicas: 5 } }, MERGE);
    expect(scaled.body).toMatchObject({ kind: 'Scale', spec: { replicas: 5 }, status: { replicas: 1 } });
    expect((await call('GET', `${PATH}/one`)).body.spec.size).toBe(5);
  });

  it('shows its own columns, and selects by its own fields', async () => {
    await call('POST', OLD_PATH, oldGizmo('one', { count: 2, colour: 'red' }));
    await call('POST', PATH, gizmo('two'));
    const table = (await call('GET', OLD_PATH, undefined, TABLE)).body;
    expect(table.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(['Name', 'Count']);
    expect(table.rows.map(({ cells }: { cells: unknown[] }) => cells)).toEqual([
      ['one', 2],
      ['two', 1],
    ]);
    const red = (await call('GET', `${OLD_PATH}?fieldSelector=spec.colour%3Dred`)).body;
    expect(red.items).toHaveLength(1);
  });

  it('is watched in its own form', async () => {
    await call('POST', PATH, gizmo('one', { clusterName: 'red' }));
    const response = await send('GET', `${OLD_PATH}?watch=true&timeoutSeconds=1`);
    const [event] = (await response.text()).split('\n').filter((line) => line.trim() !== '');
    const { type, object } = JSON.parse(event ?? '');
    expect(type).toBe('ADDED');
    expect(object).toMatchObject({ apiVersion: 'toys.windlass.dev/v1beta1', spec: { count: 1 } });
    expect(JSON.parse(object.metadata.annotations[CONVERSION_DATA]).spec.clusterName).toBe('red');
  });

  it('can be used to delete one object or a collection', async () => {
    await call('POST', PATH, gizmo('one', {}, { finalizers: ['toys.windlass.dev/hold'] }));
    await call('POST', PATH, gizmo('two'));
    const held = await call('DELETE', `${OLD_PATH}/one`);
    expect(held.body).toMatchObject({ apiVersion: 'toys.windlass.dev/v1beta1', spec: { count: 1 } });
    expect((await call('DELETE', OLD_PATH)).body.apiVersion).toBe('toys.windlass.dev/v1beta1');
    expect((await call('GET', `${PATH}/two`)).code).toBe(404);
    const released = await call('PATCH', `${OLD_PATH}/one`, { metadata: { finalizers: null } }, MERGE);
    expect(released.code).toBe(200);
    expect((await call('GET', `${OLD_PATH}/one`)).code).toBe(404);
  });

  it('causes a warning if it is deprecated, also in a refusal, unlike the current version', async () => {
    const warning = '299 - "toys.windlass.dev/v1beta1 Gizmo is deprecated"';
    expect((await call('GET', OLD_PATH)).headers.get('warning')).toBe(warning);
    expect((await call('GET', `${OLD_PATH}/none`)).headers.get('warning')).toBe(warning);
    expect((await call('GET', PATH)).headers.get('warning')).toBeNull();
  });

  it('is listed after the preferred version in discovery, and has its own document', async () => {
    const { body } = await call('GET', '/apis/toys.windlass.dev');
    expect(body.versions.map(({ version }: { version: string }) => version)).toEqual(['v1beta2', 'v1beta1']);
    expect(body.preferredVersion.version).toBe('v1beta2');
    const names = (await call('GET', '/apis/toys.windlass.dev/v1beta1')).body.resources.map(
      ({ name }: { name: string }) => name,
    );
    expect(names).toEqual(['gizmos', 'gizmos/status', 'gizmos/scale']);
    const document = (await call('GET', '/openapi/v3/apis/toys.windlass.dev/v1beta1')).body;
    const { properties } = document.components.schemas['dev.windlass.toys.v1beta1.Gizmo'];
    expect(Object.keys(properties.spec.properties)).toContain('colour');
    expect((await call('GET', '/apis/toys.windlass.dev/v1alpha1')).code).toBe(404);
  });
});
