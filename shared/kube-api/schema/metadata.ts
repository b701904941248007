import type { OpenApiSchema } from '../resource.ts';

const text: OpenApiSchema = { type: 'string' };
const time: OpenApiSchema = { type: 'string', format: 'date-time' };
const texts: OpenApiSchema = { type: 'object', additionalProperties: text };
const flag: OpenApiSchema = { type: 'boolean' };

const OWNER_FIELDS: Record<string, OpenApiSchema> = {
  apiVersion: { ...text, description: 'API group and version of the owner.' },
  kind: { ...text, description: 'Kind of the owner.' },
  name: { ...text, description: 'Name of the owner, which is in the same namespace or in none.' },
  uid: { ...text, description: 'UID of the owner. An object whose owners are all gone is deleted.' },
  controller: { ...flag, description: 'Whether the owner manages the object. At most one owner does.' },
  blockOwnerDeletion: { ...flag, description: 'Whether a foreground deletion of the owner waits for the object.' },
};

const MANAGER_FIELDS: Record<string, OpenApiSchema> = {
  manager: { ...text, description: 'Name of the program that set the fields.' },
  operation: { ...text, description: 'Apply for server-side apply, Update for every other write.' },
  apiVersion: { ...text, description: 'API version in which the fields are named.' },
  time: { ...time, description: 'When the manager last changed its fields.' },
  fieldsType: { ...text, description: 'Format of fieldsV1. Always FieldsV1.' },
  fieldsV1: {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    description: 'The fields, as a tree of f:, k: and v: keys.',
  },
  subresource: { ...text, description: 'Subresource that was written, such as status. Empty for the object itself.' },
};

/** The schema of metav1.ObjectMeta, for decoding and for OpenAPI. */
export const OBJECT_META: OpenApiSchema = {
  type: 'object',
  description: 'Identity, labels, ownership and life cycle of the object.',
  properties: {
    name: { ...text, description: 'Name, unique within the namespace and resource type. Cannot be changed.' },
    generateName: { ...text, description: 'Prefix from which the server generates a unique name if name is empty.' },
    namespace: { ...text, description: 'Namespace of the object. Cannot be changed.' },
    selfLink: { ...text, description: 'No longer set.' },
    uid: { ...text, description: 'Identifies the object among all that ever existed. Set by the server.' },
    resourceVersion: {
      ...text,
      description:
        'Opaque version that changes with every write. If a write sends it back, the write is refused if another write came in between.',
    },
    generation: {
      type: 'integer',
      format: 'int64',
      description: 'Counts the changes of the desired state. Set by the server.',
    },
    creationTimestamp: { ...time, description: 'When the server created the object, in RFC 3339 form.' },
    deletionTimestamp: { ...time, description: 'When deletion was requested, in RFC 3339 form. Set by the server.' },
    deletionGracePeriodSeconds: {
      type: 'integer',
      format: 'int64',
      description: 'Time in seconds that the deletion allows for a clean end. Set by the server.',
    },
    labels: { ...texts, description: 'Keys and values that selectors match.' },
    annotations: {
      ...texts,
      description: 'Keys and values that tools store with the object. Selectors do not match them.',
    },
    finalizers: {
      type: 'array',
      items: text,
      description: 'Names of the programs that must act before the object is removed.',
      'x-kubernetes-list-type': 'set',
      'x-kubernetes-patch-strategy': 'merge',
    },
    ownerReferences: {
      type: 'array',
      description: 'Objects that this object belongs to. It is deleted when all of them are gone.',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      'x-kubernetes-patch-merge-key': 'uid',
      'x-kubernetes-patch-strategy': 'merge',
      items: {
        type: 'object',
        required: ['apiVersion', 'kind', 'name', 'uid'],
        properties: OWNER_FIELDS,
        'x-kubernetes-map-type': 'atomic',
      },
    },
    managedFields: {
      type: 'array',
      description: 'Which program set which fields. Written by the server.',
      items: { type: 'object', properties: MANAGER_FIELDS },
    },
  },
};

const HEAD: Record<string, OpenApiSchema> = {
  apiVersion: { type: 'string', description: 'API group and version of the object, such as cluster.x-k8s.io/v1beta2.' },
  kind: { type: 'string', description: 'Kind of the object, in CamelCase.' },
};

const complete = new WeakMap<OpenApiSchema, OpenApiSchema>();

/** Extends a definition's schema with `apiVersion`, `kind` and `metadata`. The result is cached for each schema. */
export const withMetadata = (schema: OpenApiSchema): OpenApiSchema => {
  const known = complete.get(schema) ?? {
    ...schema,
    type: 'object',
    properties: { ...HEAD, metadata: OBJECT_META, ...schema.properties },
  };
  complete.set(schema, known);
  return known;
};
