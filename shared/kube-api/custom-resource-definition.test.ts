import { describe, expect, it } from 'vitest';
import { customResourceDefinitionOf } from './custom-resource-definition.ts';
import type { ResourceDefinition } from './resource.ts';
import { GIZMOS } from './test-kinds.ts';

const gizmos = GIZMOS as ResourceDefinition;

describe('the CustomResourceDefinition of a kind', () => {
  it('has its names, its scope and its labels', () => {
    const labels = { 'toys.windlass.dev/v1beta2': 'v1beta2' };
    const { metadata, spec } = customResourceDefinitionOf([gizmos], { labels });

    expect(metadata).toEqual({ name: 'gizmos.toys.windlass.dev', labels });
    expect(spec).toMatchObject({ group: 'toys.windlass.dev', scope: 'Namespaced' });
    expect(spec.names).toEqual({
      plural: 'gizmos',
      singular: 'gizmo',
      kind: 'Gizmo',
      listKind: 'GizmoList',
      shortNames: ['gz'],
      categories: ['toys'],
    });
  });

  it('has the subresources, the columns and the selectable fields of each version, and stores the first', () => {
    const { versions } = customResourceDefinitionOf([gizmos, { ...gizmos, version: 'v1beta1' }]).spec;

    expect(versions.map(({ name, served, storage }) => [name, served, storage])).toEqual([
      ['v1beta2', true, true],
      ['v1beta1', true, false],
    ]);
    expect(versions[0]?.subresources).toEqual({ status: {}, scale: GIZMOS.scale });
    expect(versions[0]?.selectableFields).toEqual([{ jsonPath: '.spec.mode' }]);
    expect(versions[0]?.additionalPrinterColumns?.at(-1)).toEqual({
      name: 'Version',
      type: 'string',
      jsonPath: '.spec.version',
      priority: 1,
    });
  });

  it('has no extensions of built-in kinds, but fields of any name', () => {
    const schema = {
      type: 'object' as const,
      properties: {
        'x-kubernetes-patch-strategy': { type: 'string' as const },
        items: { type: 'array' as const, 'x-kubernetes-patch-merge-key': 'name', items: { type: 'string' as const } },
      },
    };
    const [version] = customResourceDefinitionOf([{ ...gizmos, schema }]).spec.versions;

    expect(version?.schema.openAPIV3Schema.properties).toEqual({
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      'x-kubernetes-patch-strategy': { type: 'string' },
      items: { type: 'array', items: { type: 'string' } },
    });
  });
});
