import { describe, expect, it } from 'vitest';
import { compileJsonPath } from '../kube-api/json-path.ts';
import type { KubeObject } from '../kube-api/object.ts';
import type { OpenApiSchema, ResourceDefinition } from '../kube-api/resource.ts';
import { tableOf } from '../kube-api/table/table.ts';
import { KINDS, kinds } from './index.ts';
import { admit, readExample, refusals } from './test-admission.ts';

interface Node {
  path: string;
  schema: OpenApiSchema;
  /** True if the node is inside a list item. */
  listed: boolean;
}

const nodes = (schema: OpenApiSchema, path = '', listed = false): Node[] => [
  { path, schema, listed },
  ...Object.entries(schema.properties ?? {}).flatMap(([key, member]) => nodes(member, `${path}.${key}`, listed)),
  ...(schema.items ? nodes(schema.items, `${path}[]`, true) : []),
  ...(typeof schema.additionalProperties === 'object' ? nodes(schema.additionalProperties, `${path}{}`, listed) : []),
];

const KNOWN = new Set([
  ...['type', 'format', 'description', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'default'],
  ...['nullable', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'minProperties'],
  ...['x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type', 'x-kubernetes-int-or-string'],
  ...['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-patch-merge-key', 'x-kubernetes-patch-strategy'],
]);

const isOpen = (schema: OpenApiSchema): boolean =>
  Boolean(schema['x-kubernetes-int-or-string'] || schema['x-kubernetes-preserve-unknown-fields']);

describe.each(KINDS)('$kind', (definition: ResourceDefinition) => {
  const all = nodes(definition.schema);

  it('has a structural schema', () => {
    for (const { path, schema } of all) {
      expect(
        Object.keys(schema).filter((key) => !KNOWN.has(key)),
        path,
      ).toEqual([]);
      expect(isOpen(schema) ? schema.type : schema.type !== undefined, path).toBe(isOpen(schema) ? undefined : true);
    }
  });

  it('has no defaults in list items, which kubectl apply would remove and the server add forever', () => {
    expect(all.filter(({ schema, listed }) => listed && schema.default !== undefined)).toEqual([]);
  });

  it('requires the keys of its keyed lists', () => {
    for (const { path, schema } of all) {
      // References of the core group: upstream accepts them without a name, too.
      if (definition.kind === 'ServiceAccount' && path === '.secrets') continue;
      const keys = schema['x-kubernetes-list-map-keys'] ?? [];
      expect(schema.items?.required ?? [], path).toEqual(expect.arrayContaining(keys));
    }
  });

  it('has columns and selectable fields that can be read', () => {
    for (const path of [
      ...definition.columns.map((column) => column.jsonPath),
      ...(definition.selectableFields ?? []),
    ]) {
      expect(() => compileJsonPath(path), path).not.toThrow();
    }
  });

  it('has columns even for an empty object, such as the bookmark of a watch', () => {
    const bookmark = { apiVersion: '', kind: '', metadata: {} } as KubeObject;
    const table = tableOf(definition, [bookmark], { metadata: {}, now: new Date(0) });
    expect(table.rows).toMatchObject([{ cells: expect.arrayContaining(['']) }]);
  });

  it('has patterns that JavaScript understands', () => {
    for (const { schema } of all) if (schema.pattern) expect(() => new RegExp(schema.pattern ?? '', 'u')).not.toThrow();
  });
});

describe('the kinds', () => {
  it('have unique names', () => {
    expect(new Set(KINDS.map(({ group, plural }) => `${plural}.${group}`)).size).toBe(KINDS.length);
    const shortNames = KINDS.flatMap((definition) => definition.shortNames);
    expect(new Set(shortNames).size).toBe(shortNames.length);
  });

  it('distinguish integers of 32 bits from those of 64', () => {
    const { properties: spec } = kinds.machineDeployment.schema.properties?.spec ?? {};
    expect(spec?.replicas).toEqual({ type: 'integer', format: 'int32' });
    const { properties: status } = kinds.machineDeployment.schema.properties?.status ?? {};
    expect(status?.observedGeneration).toEqual({ type: 'integer', format: 'int64', minimum: 1 });
  });

  it('find the cluster of an object by its label, its spec or its name', () => {
    const [cluster, awsCluster] = readExample();
    const deployment = readExample().find(({ kind }) => kind === 'MachineDeployment');
    expect(cluster && kinds.cluster.clusterNameOf?.(cluster as never)).toBe('quickstart');
    expect(awsCluster && kinds.awsCluster.clusterNameOf?.(awsCluster as never)).toBeUndefined();
    expect(deployment && kinds.machineDeployment.clusterNameOf?.(deployment as never)).toBe('quickstart');
    expect(kinds.event.clusterNameOf).toBeUndefined();
  });
});

describe('examples/quickstart.yaml', () => {
  const definitionOf = (kind: string): ResourceDefinition => {
    const found = KINDS.find((definition) => definition.kind === kind);
    if (!found) throw new Error(`no kind ${kind}`);
    return found;
  };

  it('contains the objects of a whole cluster', () => {
    expect(readExample().map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'Cluster quickstart',
      'AWSCluster quickstart',
      'KubeadmControlPlane quickstart-control-plane',
      'AWSMachineTemplate quickstart-control-plane',
      'MachineDeployment quickstart-md-0',
      'AWSMachineTemplate quickstart-md-0',
      'KubeadmConfigTemplate quickstart-md-0',
    ]);
  });

  it.each(readExample())('contains a valid $kind that causes no warnings', (object) => {
    const definition = definitionOf(object.kind);
    expect(refusals(definition, object)).toEqual([]);
    expect(definition.warnings?.(admit(definition, object), undefined) ?? []).toEqual([]);
  });

  it('refers only to objects that it contains', () => {
    const text = JSON.stringify(readExample());
    const refs = [...text.matchAll(/\{"apiGroup":"([^"]+)","kind":"([^"]+)","name":"([^"]+)"\}/g)];
    expect(refs).toHaveLength(5);
    for (const [, group, kind, name] of refs) {
      const found = readExample().find((object) => object.kind === kind && object.metadata.name === name);
      expect(found?.apiVersion, `${kind} ${name}`).toBe(`${group}/v1beta2`);
    }
  });
});
