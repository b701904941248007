import { isObject, type JsonObject } from '../json.ts';
import type { OpenApiSchema } from '../resource.ts';

/**
 * Returns a copy without optional members that hold the zero value of their type if the schema rejects it, for example
 * by `minLength: 1`, and without objects that have no other members. A Go client may write such values for unset fields
 * in one version, while the other version represents these only by absence.
 */
export const withoutRefused = (schema: OpenApiSchema, value: unknown): unknown => {
  const { items } = schema;
  if (Array.isArray(value)) return items ? value.map((item) => withoutRefused(items, item)) : value;
  return isObject(value) ? ofObject(schema, value) : value;
};

const ofObject = ({ properties = {}, additionalProperties, required = [] }: OpenApiSchema, value: JsonObject) => {
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    const isField = Object.hasOwn(properties, key);
    const schema = isField ? properties[key] : additionalProperties;
    if (!isObject(schema)) {
      result[key] = member;
      continue;
    }
    const kept = withoutRefused(schema, member);
    const isUnset = refusesEmpty(schema, kept) || (isField && isEmptied(member, kept));
    if (required.includes(key) || !isUnset) result[key] = kept;
  }
  return result;
};

const isEmptied = (before: unknown, after: unknown): boolean =>
  isObject(before) && Object.keys(before).length > 0 && isObject(after) && Object.keys(after).length === 0;

const refusesEmpty = (schema: OpenApiSchema, value: unknown): boolean => {
  const { minLength = 0, minimum = 0, minItems = 0, minProperties = 0, enum: allowed } = schema;
  if (value === '') return minLength > 0 || (allowed !== undefined && !allowed.includes(''));
  if (value === 0) return minimum > 0;
  if (Array.isArray(value)) return value.length === 0 && minItems > 0;
  if (!isObject(value)) return false;
  return Object.keys(value).length === 0 ? minProperties > 0 : hasOnlyRefused(schema, value);
};

/** All members are required, so that none of them can be left out alone. */
const hasOnlyRefused = ({ properties = {} }: OpenApiSchema, value: JsonObject): boolean =>
  Object.entries(value).every(([key, member]) => {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    return isObject(schema) && refusesEmpty(schema, member);
  });
