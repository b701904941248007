import { apiVersionOf } from '../../decode.ts';
import type { JsonObject } from '../../json.ts';
import type { OpenApiSchema, ResourceDefinition } from '../../resource.ts';
import { SCALE_SCHEMA } from '../../scale.ts';
import { OBJECT_META, withMetadata } from '../../schema/metadata.ts';
import { describedSchema, type TextsOf } from '../../schema/with-descriptions.ts';

const META_SCHEMA = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const LIST_META_SCHEMA = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta';
export const DELETE_OPTIONS_SCHEMA = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';
export const STATUS_SCHEMA = 'io.k8s.apimachinery.pkg.apis.meta.v1.Status';
export const SCALE = 'io.k8s.api.autoscaling.v1.Scale';

export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/**
 * `io.x-k8s.cluster.v1beta2.Machine`: the reversed group, as in upstream's names for the schemas of custom resources.
 */
export const schemaName = ({ group, version, kind, builtIn }: ResourceDefinition): string => {
  if (builtIn && !group.includes('.')) return `io.k8s.api.${group === '' ? 'core' : group}.${version}.${kind}`;
  return [...group.split('.').reverse(), version, kind].join('.');
};

export const gvkOf = ({
  group,
  version,
  kind,
}: Pick<ResourceDefinition, 'group' | 'version' | 'kind'>): JsonObject => ({
  group,
  version,
  kind,
});

const GVK = 'x-kubernetes-group-version-kind';

/** Component schemas of one resource: the object, with the descriptions of its fields, and its list. */
export const resourceSchemas = (resource: ResourceDefinition, textsOf: TextsOf): Record<string, JsonObject> => {
  const name = schemaName(resource);
  const complete = withMetadata(describedSchema(resource, textsOf)) as OpenApiSchema & JsonObject;
  return {
    [name]: {
      ...complete,
      properties: { ...complete.properties, metadata: { ...ref(META_SCHEMA), description: OBJECT_META.description } },
      [GVK]: [gvkOf(resource)],
    },
    [`${name}List`]: {
      type: 'object',
      description: `${resource.kind}List is a list of ${resource.kind}`,
      required: ['items'],
      properties: {
        apiVersion: { type: 'string', default: apiVersionOf(resource) },
        kind: { type: 'string' },
        metadata: ref(LIST_META_SCHEMA),
        items: { type: 'array', items: ref(name) },
      },
      [GVK]: [gvkOf({ ...resource, kind: `${resource.kind}List` })],
    },
  };
};

const text = { type: 'string' };

/** Component schemas in every document. */
export const sharedSchemas = (): Record<string, JsonObject> => ({
  [META_SCHEMA]: { ...OBJECT_META },
  [LIST_META_SCHEMA]: {
    type: 'object',
    description: 'Metadata of a list.',
    properties: { continue: text, remainingItemCount: { type: 'integer', format: 'int64' }, resourceVersion: text },
  },
  [DELETE_OPTIONS_SCHEMA]: {
    type: 'object',
    description: 'How an object is to be deleted.',
    properties: {
      apiVersion: text,
      kind: text,
      dryRun: { type: 'array', items: text },
      gracePeriodSeconds: { type: 'integer', format: 'int64' },
      propagationPolicy: text,
      preconditions: { type: 'object', properties: { uid: text, resourceVersion: text } },
    },
  },
  [STATUS_SCHEMA]: {
    type: 'object',
    description: 'The answer to a request that returns no object.',
    properties: {
      apiVersion: text,
      kind: text,
      code: { type: 'integer', format: 'int32' },
      message: text,
      reason: text,
      status: text,
    },
  },
});

export const scaleSchema = (): Record<string, JsonObject> => ({
  [SCALE]: {
    ...SCALE_SCHEMA,
    properties: { apiVersion: text, kind: text, metadata: ref(META_SCHEMA), ...SCALE_SCHEMA.properties },
    [GVK]: [{ group: 'autoscaling', version: 'v1', kind: 'Scale' }],
  },
});
