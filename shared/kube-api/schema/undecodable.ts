import { isObject, type JsonObject } from '../json.ts';
import type { OpenApiSchema } from '../resource.ts';
import { isTime } from './validate-scalar.ts';

/** Go's name for the struct that a part of an object is decoded into, and the path of a field in it. */
export interface Place {
  struct: string;
  path: string;
}

/**
 * Why Go could not decode `value` into the type of the schema, with its decoder's message; undefined if it can. It
 * stops at the first value that does not match, before any validation. No value is shown except a number.
 */
export const findUndecodable = (schema: OpenApiSchema, value: unknown, place: Place): string | undefined => {
  if (value === null || value === undefined) return undefined;
  const goType = goTypeOf(schema, place.path);
  // Something else is allowed instead of such an object.
  if (goType === undefined)
    return schema.properties && isObject(value) ? findInMembers(schema, value, place) : undefined;
  if (!fits(schema, value)) return misfit(value, goType, place);
  if (typeof value === 'string') return findMalformed(schema, value, place);
  if (Array.isArray(value)) return findFirst(value, (item) => findUndecodable(schema.items ?? {}, item, place));
  return isObject(value) ? findInMembers(schema, value, place) : undefined;
};

/** Go's names of structs, by the fields that hold one or a list of them. */
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

/** What Go calls a JSON value. */
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

/** Undefined where Go keeps whatever comes. */
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

/** Fields of the type MicroTime, which Go reads with six digits only. */
const MICRO_TIMES = ['acquireTime', 'renewTime', 'eventTime', 'lastObservedTime'];

const UNREADABLE_TIME = 'parsing time: it is not in the form of RFC 3339';

/** Whether it is about a time; earlier versions stored some that Go cannot read. */
export const isAboutTime = (undecodable: string): boolean => undecodable.startsWith(UNREADABLE_TIME);

const faultOfTime = (value: string, field: string): string | undefined => {
  if (!isTime(value) || /[tz]/.test(value)) return UNREADABLE_TIME;
  const isPrecise = !MICRO_TIMES.includes(field) || /\.\d{6}(Z|[+-])/.test(value);
  return isPrecise ? undefined : `${UNREADABLE_TIME} with six digits after the seconds`;
};

const findMalformed = ({ format }: OpenApiSchema, value: string, { path }: Place): string | undefined => {
  if (format === 'date-time') return faultOfTime(value, fieldOf(path));
  const position = format === 'byte' ? findIllegalByte(value) : -1;
  return position < 0 ? undefined : `illegal base64 data at input byte ${position}`;
};

/** Where Go's base64 decoder stops; -1 if it reads everything. */
const findIllegalByte = (text: string): number => {
  const legal = /^[A-Za-z0-9+/]*/.exec(text)?.[0].length ?? 0;
  const isPadded = /^={0,2}$/.test(text.slice(legal)) && text.length % 4 === 0;
  if (isPadded) return -1;
  // What is cut off is noticed at the beginning of its quantum.
  return legal === text.length ? legal - (legal % 4) : legal;
};

const findInMembers = (schema: OpenApiSchema, value: JsonObject, { struct, path }: Place): string | undefined =>
  findFirst(Object.entries(value), ([key, member]) => {
    const property = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    // Go names a map, not the key in it.
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
