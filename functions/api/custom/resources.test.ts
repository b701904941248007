import { describe, expect, it } from 'vitest';
import { createTestApi } from '../test-api.ts';
import { CRDS, definition, type Version, version, WIDGETS, widget } from './test-widgets.ts';

describe('a custom resource', () => {
  it('is defaulted, pruned and validated, including by CEL expressions', async () => {
    const { admin } = createTestApi();
    await admin.ask('POST', CRDS, definition());
    const { body: a } = await admin.ask(
      'POST',
      `${WIDGETS}?fieldValidation=Ignore`,
      widget('a', { color: 'red', odd: 1 }),
    );

    const unknown = await admin.ask('POST', `${WIDGETS}?fieldValidation=Strict`, widget('b', { color: 'red', odd: 1 }));
    const big = await admin.ask('POST', WIDGETS, widget('b', { color: 'red', size: 11 }));
    const recolored = await admin.ask('PUT', `${WIDGETS}/a`, { ...a, spec: { color: 'blue' } });
    const unnamed = await admin.ask(
      'POST',
      WIDGETS,
      widget('b', { color: 'red', template: { metadata: { name: 'a/b' } } }),
    );

    expect(a.spec).toEqual({ color: 'red', size: 3 });
    expect(unknown.body.message).toContain('strict decoding error: unknown field "spec.odd"');
    expect(big.body.message).toBe('Widget.example.com "b" is invalid: spec: Invalid value: too big');
    expect(recolored.body.details.causes).toEqual([
      { reason: 'FieldValueForbidden', field: 'spec.color', message: 'Forbidden: the color stays' },
    ]);
    expect(unnamed.body.details.causes.map(({ field }: { field: string }) => field)).toEqual([
      'spec.template.apiVersion',
      'spec.template.kind',
      'spec.template.metadata.name',
      '<nil>',
    ]);
  });

  it('may keep values that a newer schema forbids, but may not change them to other invalid ones', async () => {
    const { admin } = createTestApi();
    const { body: created } = await admin.ask('POST', CRDS, definition());
    await admin.ask('POST', WIDGETS, widget('a', { color: 'red', parts: [{ name: 'x', weight: 7 }, { name: 'y' }] }));
    const strict = structuredClone(definition());
    const [{ schema }] = strict.spec.versions as [Version];
    const { properties } = schema.openAPIV3Schema.properties.spec;
    Object.assign(properties.parts.items.properties.weight, { maximum: 5 });
    await admin.ask('PUT', `${CRDS}/widgets.example.com`, { ...strict, metadata: created.metadata });
    const patch = (parts: object[]) => admin.ask('PATCH', `${WIDGETS}/a`, { spec: { parts } });

    const kept = await patch([{ name: 'z' }, { name: 'x', weight: 7 }]);
    const changed = await patch([{ name: 'z' }, { name: 'x', weight: 8 }]);

    expect(kept.code).toBe(200);
    expect(changed.body.details.causes[0].field).toBe('spec.parts[1].weight');
  });

  it('is the same object in all versions of its kind', async () => {
    const { admin } = createTestApi();
    const old = version('v1beta1', { deprecated: true, deprecationWarning: 'use v1' });
    await admin.ask('POST', CRDS, definition('widgets', 'Widget', {}, [old, version('v1')]));
    await admin.ask('POST', WIDGETS, widget('a'));

    const response = await admin.send('GET', '/apis/example.com/v1beta1/namespaces/default/widgets/a');
    const group = await admin.ask('GET', '/apis/example.com');

    expect(await response.json()).toMatchObject({ apiVersion: 'example.com/v1beta1', spec: { color: 'red', size: 3 } });
    expect(response.headers.get('warning')).toBe('299 - "use v1"');
    expect(group.body.preferredVersion.version).toBe('v1');
  });

  it('has a status, a scale, columns and selectable fields', async () => {
    const { admin } = createTestApi();
    await admin.ask('POST', CRDS, definition());
    await admin.ask('POST', WIDGETS, widget('a'));
    await admin.ask('POST', WIDGETS, widget('b', { color: 'blue' }));

    const status = await admin.ask('PATCH', `${WIDGETS}/a/status`, { spec: { size: 1 }, status: { replicas: 2 } });
    const scale = await admin.ask('PATCH', `${WIDGETS}/a/scale`, { spec: { replicas: 4 } });
    const table = await admin.ask('GET', `${WIDGETS}?fieldSelector=spec.color=blue`, undefined, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });

    expect([status.body.spec.size, status.body.status, status.body.metadata.generation]).toEqual([
      3,
      { replicas: 2 },
      1,
    ]);
    expect([scale.body.spec, scale.body.status]).toEqual([{ replicas: 4 }, { replicas: 2 }]);
    expect(table.body.rows.map(({ cells }: { cells: unknown[] }) => cells)).toEqual([['b', 3]]);
  });

  it('is deleted with its namespace or its owner', async () => {
    const { admin } = createTestApi();
    await admin.ask('POST', CRDS, definition());
    await admin.ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    await admin.ask('POST', WIDGETS.replace('default', 'team'), widget('a'));
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owner' } };
    const { body: owner } = await admin.ask('POST', '/api/v1/namespaces/default/configmaps', configMap);
    const { uid } = owner.metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    await admin.ask('POST', WIDGETS, widget('owned', { color: 'red' }, { ownerReferences }));

    await admin.ask('DELETE', '/api/v1/namespaces/team');
    await admin.ask('DELETE', '/api/v1/namespaces/default/configmaps/owner');

    expect((await admin.ask('GET', '/api/v1/namespaces/team')).code).toBe(404);
    expect((await admin.ask('GET', '/apis/example.com/v1/widgets')).body.items).toEqual([]);
  });

  it('may have the same kind name as a built-in kind', async () => {
    const { admin } = createTestApi();
    await admin.ask('POST', CRDS, definition('clusters', 'Cluster'));
    const path = '/apis/example.com/v1/namespaces/default/clusters';

    const created = await admin.ask('POST', path, { ...widget('a'), kind: 'Cluster' });
    const dry = await admin.ask('DELETE', `${path}/a?dryRun=All`);

    expect([created.code, dry.code]).toEqual([201, 200]);
  });
});
