import { isObject, type JsonObject } from '../json.ts';
import type { OpenApiSchema } from '../resource.ts';
import { faultOfTime } from './go-times.ts';

/** Go's name for the struct that contains the value, and the path of the field in it. */
export interface Place {
  struct: string;
  path: string;
}

/**
 * Returns the message of Go's decoder if it could not decode `value` into the type of the schema, or undefined. Like
 * the decoder, it stops at the first mismatch, before any validation. The message contains no values except numbers.
 */
export const findUndecodable = (schema: OpenApiSchema, value: unknown, place: Place): string | undefined => {
  if (value === null || value === undefined) return undefined;
  const goType = goTypeOf(schema, place.path);
  // The schema also accepts values other than this object.
  if (goType === undefined)
    return schema.properties && isObject(value) ? findInMembers(schema, value, place) : undefined;
  if (!fits(schema, value)) return misfit(value, goType, place);
  if (typeof value === 'string') return findMalformed(schema, value, place);
  if (Array.isArray(value)) return findFirst(value, (item) => findUndecodable(schema.items ?? {}, item, place));
  return isObject(value) ? findInMembers(schema, value, place) : undefined;
};

/** Go's struct names, by the fields that hold such a struct or a list of them. */
const STRUCTS: Readonly<Record<string, string>> = {
  metadata: 'ObjectMeta',
  ownerReferences: 'OwnerReference',
  managedFields: 'ManagedFieldsEntry',
  involvedObject: 'ObjectReference',
  related: 'ObjectReference',
  source: 'EventSource',
  series: 'EventSeries',
  rules: 'PolicyRule',
  subjects: 'Subject',
  roleRef: 'RoleRef',
};

const misfit = (value: unknown, goType: string, { struct, path }: Place): string => {
  const isOutOfRange = typeof value === 'number' && /^(int|float)/.test(goType);
  return `json: cannot unmarshal ${jsonTypeOf(value)}${isOutOfRange ? ` ${value}` : ''} into Go struct field ${struct}.${path} of type ${goType}`;
};

/** Go's name for the type of a JSON value. */
export const jsonTypeOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
};

const MAX_INT32 = 2 ** 31;

const fits = ({ type, format }: OpenApiSchema, value: unknown): boolean => {
  if (type === 'integer') {
    const inRange = format !== 'int32' || (Number(value) >= -MAX_INT32 && Number(value) < MAX_INT32);
    return Number.isInteger(value) && inRange;
  }
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isObject(value) : typeof value === type;
};

/** Undefined if Go accepts any value. */
const goTypeOf = (schema: OpenApiSchema, path = ''): string | undefined => {
  const { type, items } = schema;
  if (schema['x-kubernetes-int-or-string'] || schema['x-kubernetes-preserve-unknown-fields']) return undefined;
  if (type === 'array') return `[]${goTypeOf(items ?? {}) ?? 'object'}`;
  return type === 'object' ? goObjectOf(schema, path) : goScalarOf(schema);
};

const goScalarOf = ({ type, format }: OpenApiSchema): string | undefined => {
  if (type === 'integer') return format === 'int32' ? 'int32' : 'int64';
  if (type === 'string') return format === 'byte' ? '[]uint8' : 'string';
  if (type === 'number') return 'float64';
  return type === 'boolean' ? 'bool' : undefined;
};

const goObjectOf = ({ additionalProperties }: OpenApiSchema, path: string): string => {
  if (isObject(additionalProperties)) return `map[string]${goTypeOf(additionalProperties) ?? 'object'}`;
  const struct = STRUCTS[fieldOf(path)];
  return struct ? `v1.${struct}` : 'object';
};

const findMalformed = ({ format }: OpenApiSchema, value: string, { path }: Place): string | undefined => {
  if (format === 'date-time') return faultOfTime(value, fieldOf(path));
  const position = format === 'byte' ? findIllegalByte(value) : -1;
  return position < 0 ? undefined : `illegal base64 data at input byte ${position}`;
};

/** The position at which Go's base64 decoder stops; -1 if the whole string is valid. */
const findIllegalByte = (text: string): number => {
  const legal = /^[A-Za-z0-9+/]*/.exec(text)?.[0].length ?? 0;
  const isPadded = /^={0,2}$/.test(text.slice(legal)) && text.length % 4 === 0;
  if (isPadded) return -1;
  // Go reports a truncated string at the start of its last group of four.
  return legal === text.length ? legal - (legal % 4) : legal;
};

const findInMembers = (schema: OpenApiSchema, value: JsonObject, { struct, path }: Place): string | undefined =>
  findFirst(Object.entries(value), ([key, member]) => {
    const property = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    // For a map, Go's message contains the path of the map without the key.
    if (!property) return findUndecodable(additionalOf(schema), member, { struct, path });
    const inner = STRUCTS[fieldOf(path)] ?? struct;
    return findUndecodable(property, member, { struct: inner, path: path === '' ? key : `${path}.${key}` });
  });

const fieldOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

const additionalOf = ({ additionalProperties }: OpenApiSchema): OpenApiSchema =>
  isObject(additionalProperties) ? additionalProperties : {};

const findFirst = <T>(list: readonly T[], find: (item: T) => string | undefined): string | undefined => {
  for (const item of list) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
};
