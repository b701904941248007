import { isObject, type JsonObject } from '../../../json.ts';

/**
 * The members of a schema that remain for a value of any type: clients of this version refuse values that they consider
 * wrong.
 */
const WITHOUT_TYPE: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'items',
  'additionalProperties',
  'enum',
  'required',
]);

/** Members that version 2 does not have, or that its clients do not need. */
const NEVER: ReadonlySet<string> = new Set(['nullable', 'default']);

const V3 = '#/components/schemas/';
const V2 = '#/definitions/';

/**
 * A schema of OpenAPI v3 in v2, which has neither null, nor values of several types, nor objects with arbitrary
 * members: there it omits the type, as upstream, so that clients do not refuse valid objects.
 */
export const legacySchema = (schema: JsonObject): JsonObject => {
  const open =
    schema.nullable === true ||
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true;
  const kept = Object.entries(schema).filter(([key]) => !NEVER.has(key) && !(open && WITHOUT_TYPE.has(key)));
  return Object.fromEntries(kept.map(([key, value]) => [key, member(key, value)]));
};

const member = (key: string, value: unknown): unknown => {
  if (key === '$ref') return String(value).replace(V3, V2);
  if (!isObject(value)) return value;
  if (key === 'items' || key === 'additionalProperties') return legacySchema(value);
  if (key !== 'properties') return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, legacySchema(field as JsonObject)]));
};
