import { copyJson, isObject, type JsonObject, memberPath } from '../json.ts';
import type { OpenApiSchema } from '../resource.ts';
import { isNullable } from './default.ts';

export interface Pruned {
  value: unknown;
  /** The paths of fields that are not in the schema, in document order. */
  unknown: string[];
}

/**
 * Which nulls are dropped. `all` is for built-in kinds and metadata, which are Go structs upstream: a null field is
 * dropped, and a null map value or list item becomes the zero value of its type. `values` is for custom resources: only
 * drops null map values that are neither nullable nor have a default; null fields are handled when defaults are
 * applied.
 */
export type DroppedNulls = 'all' | 'values' | 'none';

interface Pass {
  unknown: string[];
  dropNulls: DroppedNulls;
}

/**
 * Returns a copy of `value` with only the fields in the structural `schema`
 * (https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning).
 * Members that are `undefined` are omitted. Values of the wrong type are kept, so that validation rejects them.
 */
export const prune = (schema: OpenApiSchema, value: unknown, path = '', dropNulls: DroppedNulls = 'none'): Pruned => {
  const pass: Pass = { unknown: [], dropNulls };
  return { value: pruneValue(schema, value, path, pass), unknown: pass.unknown };
};

const pruneValue = (schema: OpenApiSchema, value: unknown, path: string, pass: Pass): unknown => {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) return copyJson(value);
    return value.map((item, index) => pruneValue(items, givenItem(items, item, pass), `${path}[${index}]`, pass));
  }
  if (isObject(value)) return pruneObject(schema, value, path, pass);
  const isBytes = typeof value === 'string' && schema.format === 'byte' && pass.dropNulls === 'all';
  // Go ignores line breaks in base64, and many programs write them.
  return isBytes ? value.replace(/[\r\n]/g, '') : value;
};

const pruneObject = (schema: OpenApiSchema, value: JsonObject, path: string, pass: Pass): JsonObject => {
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    const member = givenMember(schema, value, key, pass);
    if (member === undefined) continue;
    const known = memberSchema(schema, key);
    if (known === undefined) pass.unknown.push(memberPath(path, key));
    else result[key] = known === true ? copyJson(member) : pruneValue(known, member, memberPath(path, key), pass);
  }
  return result;
};

/** Returns the member; undefined if it is a null that is dropped. */
const givenMember = (schema: OpenApiSchema, value: JsonObject, key: string, pass: Pass): unknown => {
  const member = value[key];
  if (member !== null || !isDropped(schema, key, pass)) return member;
  const { additionalProperties } = schema;
  return pass.dropNulls === 'all' && isObject(additionalProperties) ? ZERO[kindOf(additionalProperties)] : undefined;
};

/** Like map values, null list items become zero values in Go. */
const givenItem = (items: OpenApiSchema, item: unknown, { dropNulls }: Pass): unknown =>
  item === null && dropNulls === 'all' ? structuredClone(ZERO[kindOf(items)] ?? null) : item;

/** The value that Go decodes a null into, by type. In built-in kinds, int-or-string fields are quantities. */
const ZERO: Readonly<Record<string, unknown>> = { string: '', object: {}, quantity: '0' };

const kindOf = (schema: OpenApiSchema): string =>
  schema['x-kubernetes-int-or-string'] ? 'quantity' : (schema.type ?? '');

const isDropped = (
  { properties = {}, additionalProperties }: OpenApiSchema,
  key: string,
  { dropNulls }: Pass,
): boolean => {
  if (dropNulls !== 'values') return dropNulls === 'all';
  const isValue = isObject(additionalProperties) && !Object.hasOwn(properties, key);
  return isValue && !isNullable(additionalProperties) && additionalProperties.default === undefined;
};

/** The schema of a member; true if anything is allowed; undefined if the field is unknown. */
const memberSchema = (schema: OpenApiSchema, key: string): OpenApiSchema | true | undefined => {
  const { properties, additionalProperties } = schema;
  if (properties && Object.hasOwn(properties, key)) return properties[key];
  if (isObject(additionalProperties)) return additionalProperties;
  if (additionalProperties === true || schema['x-kubernetes-preserve-unknown-fields']) return true;
  return undefined;
};
