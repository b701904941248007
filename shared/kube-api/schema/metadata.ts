import type { OpenApiSchema } from '../resource.ts';

const text: OpenApiSchema = { type: 'string' };
const time: OpenApiSchema = { type: 'string', format: 'date-time' };
const texts: OpenApiSchema = { type: 'object', additionalProperties: text };

/** Schema of metav1.ObjectMeta, for decoding and for OpenAPI. */
export const OBJECT_META: OpenApiSchema = {
  type: 'object',
  description: 'Standard metadata of an object: identity, labels, ownership and life cycle.',
  properties: {
    name: { ...text, description: 'Name, unique within the namespace and resource type. Cannot be changed.' },
    generateName: { ...text, description: 'Prefix from which the server makes a unique name when none is given.' },
    namespace: { ...text, description: 'Namespace of the object. Cannot be changed.' },
    selfLink: { ...text, description: 'Not set any more.' },
    uid: { ...text, description: 'Unique in time and space; set by the server.' },
    resourceVersion: { ...text, description: 'Opaque version, for optimistic concurrency and watches.' },
    generation: { type: 'integer', format: 'int64', description: 'Grows with each change of the desired state.' },
    creationTimestamp: { ...time, description: 'When the server created the object.' },
    deletionTimestamp: { ...time, description: 'When deletion was asked for; set by the server.' },
    deletionGracePeriodSeconds: { type: 'integer', format: 'int64', description: 'Grace that deletion was given.' },
    labels: { ...texts, description: 'Keys and values to select objects by.' },
    annotations: { ...texts, description: 'Keys and values that tools keep with the object.' },
    finalizers: {
      type: 'array',
      items: text,
      description: 'Names of those that must act before the object is removed.',
      'x-kubernetes-list-type': 'set',
      'x-kubernetes-patch-strategy': 'merge',
    },
    ownerReferences: {
      type: 'array',
      description: 'Objects that this object depends on.',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      'x-kubernetes-patch-merge-key': 'uid',
      'x-kubernetes-patch-strategy': 'merge',
      items: {
        type: 'object',
        required: ['apiVersion', 'kind', 'name', 'uid'],
        properties: {
          apiVersion: text,
          kind: text,
          name: text,
          uid: text,
          controller: { type: 'boolean' },
          blockOwnerDeletion: { type: 'boolean' },
        },
        'x-kubernetes-map-type': 'atomic',
      },
    },
    managedFields: {
      type: 'array',
      description: 'Which manager set which fields.',
      items: {
        type: 'object',
        properties: {
          manager: text,
          operation: text,
          apiVersion: text,
          time,
          fieldsType: text,
          fieldsV1: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          subresource: text,
        },
      },
    },
  },
};

const HEAD: Record<string, OpenApiSchema> = {
  apiVersion: { type: 'string', description: 'Group and version of the schema of this object.' },
  kind: { type: 'string', description: 'The resource type that this object is of.' },
};

const complete = new WeakMap<OpenApiSchema, OpenApiSchema>();

/** The schema of whole objects: that of a definition with `apiVersion`, `kind` and `metadata`. Made once for each. */
export const withMetadata = (schema: OpenApiSchema): OpenApiSchema => {
  const known = complete.get(schema) ?? {
    ...schema,
    type: 'object',
    properties: { ...HEAD, metadata: OBJECT_META, ...schema.properties },
  };
  complete.set(schema, known);
  return known;
};
