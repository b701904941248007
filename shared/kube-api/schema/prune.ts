import { copyJson, isObject, type JsonObject, memberPath } from '../json.ts';
import type { OpenApiSchema } from '../resource.ts';

export interface Pruned {
  value: unknown;
  /** Paths of the fields that the schema does not know, in document order. */
  unknown: string[];
}

interface Pass {
  unknown: string[];
  /** Built-in kinds and metadata are Go structs upstream, in which a null member is absent and a null text empty. */
  dropNulls: boolean;
}

/**
 * A copy of `value` with only the fields that the structural `schema` knows
 * (https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning).
 * Members that are `undefined` are left out. Values of the wrong type are kept for validation to refuse.
 */
export const prune = (schema: OpenApiSchema, value: unknown, path = '', { dropNulls = false } = {}): Pruned => {
  const pass: Pass = { unknown: [], dropNulls };
  return { value: pruneValue(schema, value, path, pass), unknown: pass.unknown };
};

const pruneValue = (schema: OpenApiSchema, value: unknown, path: string, pass: Pass): unknown => {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item, index) => pruneValue(items, item, `${path}[${index}]`, pass)) : copyJson(value);
  }
  return isObject(value) ? pruneObject(schema, value, path, pass) : value;
};

const pruneObject = (schema: OpenApiSchema, value: JsonObject, path: string, pass: Pass): JsonObject => {
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined) continue;
    const known = memberSchema(schema, key);
    if (member === null && pass.dropNulls) {
      if (isText(schema.additionalProperties)) result[key] = '';
    } else if (known === undefined) pass.unknown.push(memberPath(path, key));
    else result[key] = known === true ? copyJson(member) : pruneValue(known, member, memberPath(path, key), pass);
  }
  return result;
};

const isText = (schema: OpenApiSchema['additionalProperties']): boolean => isObject(schema) && schema.type === 'string';

/** The schema of a member; true if anything is allowed; undefined if the field is unknown. */
const memberSchema = (schema: OpenApiSchema, key: string): OpenApiSchema | true | undefined => {
  const { properties, additionalProperties } = schema;
  if (properties && Object.hasOwn(properties, key)) return properties[key];
  if (isObject(additionalProperties)) return additionalProperties;
  if (additionalProperties === true || schema['x-kubernetes-preserve-unknown-fields']) return true;
  return undefined;
};
