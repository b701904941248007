import { isObject, type JsonObject } from '../json.ts';
import type { OpenApiSchema } from '../resource.ts';

/**
 * Returns a copy of `value` with the schema's defaults for missing fields, including those in list items, map values
 * and the defaults themselves. A null in a field that is not nullable counts as missing and is removed
 * (https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting).
 */
export const applyDefaults = (schema: OpenApiSchema, value: unknown): unknown => {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item) => applyDefaults(items, item)) : value;
  }
  return isObject(value) ? defaultObject(schema, value) : value;
};

const defaultObject = (schema: OpenApiSchema, value: JsonObject): JsonObject => {
  const { properties = {}, additionalProperties } = schema;
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property && isMissing(property, value[key])) continue;
    const known = property ?? additionalProperties;
    result[key] = isObject(known) ? applyDefaults(known, orDefault(known, value[key])) : value[key];
  }
  for (const [key, member] of Object.entries(properties)) {
    if (member.default !== undefined && isMissing(member, value[key])) {
      result[key] = applyDefaults(member, structuredClone(member.default));
    }
  }
  return result;
};

/** Replaces a null map value that is not nullable with its default. */
const orDefault = (schema: OpenApiSchema, value: unknown): unknown =>
  value === null && isMissing(schema, value) ? (structuredClone(schema.default) ?? value) : value;

const isMissing = (schema: OpenApiSchema, value: unknown): boolean =>
  value === undefined || (value === null && !isNullable(schema));

export const isNullable = ({ nullable, type, ...schema }: OpenApiSchema): boolean =>
  nullable === true || (type === undefined && schema['x-kubernetes-preserve-unknown-fields'] === true);
