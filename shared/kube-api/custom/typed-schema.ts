import type { OpenApiSchema } from '../resource.ts';
import { OBJECT_META } from '../schema/metadata.ts';

/** Schemas of objects with what every object has, which a CustomResourceDefinition does not say. */

const text: OpenApiSchema = { type: 'string' };

/** What expressions see of an object besides what its schema says: its type and its name. */
const visibleHead = ({ properties = {} }: OpenApiSchema): Record<string, OpenApiSchema> => {
  const { name = text, generateName = text } = properties.metadata?.properties ?? {};
  return {
    ...properties,
    kind: text,
    apiVersion: text,
    metadata: { type: 'object', properties: { name, generateName } },
  };
};

/** A copy of a schema and all nested ones, each changed if it describes an object with metadata. */
const mapObjects = (
  schema: OpenApiSchema,
  isObject: boolean,
  change: (schema: OpenApiSchema) => OpenApiSchema,
): OpenApiSchema => {
  const { properties, items, additionalProperties } = schema;
  const inner: OpenApiSchema = {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, mapWithin(member, change)]),
      ),
    }),
    ...(items && { items: mapWithin(items, change) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: mapWithin(additionalProperties, change) }),
  };
  return isObject ? change(inner) : inner;
};

const mapWithin = (schema: OpenApiSchema, change: (schema: OpenApiSchema) => OpenApiSchema): OpenApiSchema =>
  mapObjects(schema, schema['x-kubernetes-embedded-resource'] === true, change);

/** The schema by which expressions are compiled and run: objects have their type and name. */
export const withVisibleHead = (schema: OpenApiSchema): OpenApiSchema =>
  mapObjects(schema, true, (object) => ({ ...object, properties: visibleHead(object) }));

const { ownerReferences: owners, ...ofMetadata } = OBJECT_META.properties ?? {};
const { required: _, ...owner } = owners?.items ?? {};

/** What an owner lacks is reported by the rules for metadata, as in whole objects. */
const EMBEDDED_META: OpenApiSchema = {
  ...OBJECT_META,
  properties: { ...ofMetadata, ownerReferences: { ...owners, items: owner } },
};

/**
 * Embedded objects have ordinary metadata, of which nothing is pruned. The head of the whole object belongs to the
 * server.
 */
export const withEmbeddedHead = (schema: OpenApiSchema): OpenApiSchema =>
  mapObjects(schema, false, ({ properties, ...embedded }) => ({
    ...embedded,
    properties: { ...properties, apiVersion: text, kind: text, metadata: EMBEDDED_META },
  }));
