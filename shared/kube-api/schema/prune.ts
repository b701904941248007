import { copyJson, isObject, type JsonObject, memberPath } from '../json.ts';
import type { OpenApiSchema } from '../resource.ts';
import { isNullable } from './default.ts';

export interface Pruned {
  value: unknown;
  /** Paths of the fields that the schema does not know, in document order. */
  unknown: string[];
}

/**
 * Which nulls are left out. `all`: built-in kinds and metadata are Go structs upstream, in which a null member is absent
 * and a null value or item is empty. `values`: of custom resources those values of maps that may not be null; fields are dealt with
 * where they get their defaults.
 */
export type DroppedNulls = 'all' | 'values' | 'none';

interface Pass {
  unknown: string[];
  dropNulls: DroppedNulls;
}

/**
 * A copy of `value` with only the fields that the structural `schema` knows
 * (https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning).
 * Members that are `undefined` are left out. Values of the wrong type are kept for validation to refuse.
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
  // Go skips the line breaks of base64, with which many programs write it.
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

/** The member, unless it is a null that is left out. */
const givenMember = (schema: OpenApiSchema, value: JsonObject, key: string, pass: Pass): unknown => {
  const member = value[key];
  if (member !== null || !isDropped(schema, key, pass)) return member;
  const { additionalProperties } = schema;
  return pass.dropNulls === 'all' && isObject(additionalProperties) ? ZERO[kindOf(additionalProperties)] : undefined;
};

/** Go has no null in a list, either. */
const givenItem = (items: OpenApiSchema, item: unknown, { dropNulls }: Pass): unknown =>
  item === null && dropNulls === 'all' ? structuredClone(ZERO[kindOf(items)] ?? null) : item;

/** What Go reads a null as, by the type. Built-in kinds have numbers or texts only as quantities. */
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
