import { Buffer } from 'node:buffer';
import { isObject } from '../json.ts';
import type { OpenApiSchema } from '../resource.ts';
import { type CelType, listOf, mapOf, OBJECT, structOf, TYPES } from './check/types.ts';
import { escapeProperty } from './from-json.ts';

/**
 * The type of a schema's values, with the bounds for estimating the cost of expressions (k8s.io/apiserver/pkg/cel,
 * common/schemas.go and types.go).
 */
export interface Declared {
  type: CelType;
  /** The maximum number of bytes, items or entries of a value. */
  maxElements: number;
  /** The minimum size of the value as JSON, in bytes. */
  minSize: number;
  /** The type of list items or map values. */
  element?: Declared;
  key?: Declared;
  fields?: ReadonlyMap<string, Declared>;
}

/** The largest request that the API server accepts, and so the upper bound for any value in it. */
const MAX_REQUEST = 3 * 1024 * 1024;
const MAX_TEXT = MAX_REQUEST - 2;

/** The size of the shortest JSON values: `""`, `0`, `true`, `"0"`, a date and a time. */
const MIN_SIZES = { text: 2, number: 1, bool: 4, duration: 3, date: 12, time: 21, empty: 2 };
const MAX_TIME = 32;

const atLeastZero = (value: number): number => Math.max(value, 0);

const simple = (type: CelType, minSize: number, maxElements = 0): Declared => ({ type, minSize, maxElements });

const KEY: Declared = simple(TYPES.string, MIN_SIZES.text);

/** A character takes up to four bytes. */
const maxOfLength = (length: number): number => atLeastZero(length) * 4;

const longest = (values: readonly unknown[]): number =>
  Math.max(0, ...values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)));

const declareText = ({ format, maxLength, enum: values = [] }: OpenApiSchema): Declared => {
  switch (format) {
    case 'byte':
      return simple(TYPES.bytes, MIN_SIZES.text, maxLength === undefined ? MAX_TEXT : atLeastZero(maxLength));
    case 'duration':
      return simple(TYPES.duration, MIN_SIZES.duration, MAX_TIME);
    case 'date':
      return simple(TYPES.timestamp, MIN_SIZES.date, MIN_SIZES.date);
    case 'date-time':
      return simple(TYPES.timestamp, MIN_SIZES.time, MAX_TIME);
    default:
      if (maxLength !== undefined) return simple(TYPES.string, MIN_SIZES.text, maxOfLength(maxLength));
      return simple(TYPES.string, MIN_SIZES.text, values.length > 0 ? longest(values) : MAX_TEXT);
  }
};

/** Numbers the object types, because each schema declares its own. */
interface Names {
  count: number;
}

const declareList = ({ items, maxItems }: OpenApiSchema, names: Names): Declared | undefined => {
  const element = items && declare(items, names);
  if (!element) return undefined;
  const most = maxItems === undefined ? Math.floor(MAX_TEXT / (element.minSize + 1)) : atLeastZero(maxItems);
  return { type: listOf(element.type), maxElements: most, minSize: MIN_SIZES.empty, element };
};

const declareMap = (values: OpenApiSchema, maxProperties: number | undefined, names: Names): Declared | undefined => {
  const element = declare(values, names);
  if (!element) return undefined;
  // Each entry adds quotes, a colon, a comma and a key of two characters.
  const most = maxProperties === undefined ? Math.floor(MAX_TEXT / (element.minSize + 6)) : atLeastZero(maxProperties);
  const type = mapOf(TYPES.string, element.type);
  return { type, maxElements: most, minSize: MIN_SIZES.empty, element, key: KEY };
};

const declareObject = ({ properties = {}, required = [] }: OpenApiSchema, names: Names): Declared => {
  const fields = new Map<string, Declared>();
  let minSize = MIN_SIZES.empty;
  for (const [property, member] of Object.entries(properties)) {
    const declared = declare(member, names);
    if (!declared) continue;
    const name = escapeProperty(property);
    if (name !== undefined) fields.set(name, declared);
    const isAlwaysWritten = required.includes(property) && member.default === undefined;
    if (isAlwaysWritten) minSize += Buffer.byteLength(property) + declared.minSize + 4;
  }
  names.count += 1;
  return { type: structOf(`${OBJECT}${names.count}`), maxElements: 0, minSize, fields };
};

const declare = (schema: OpenApiSchema, names: Names): Declared | undefined => {
  if (schema['x-kubernetes-int-or-string']) {
    return simple(TYPES.dyn, 1, schema.maxLength === undefined ? MAX_TEXT : maxOfLength(schema.maxLength));
  }
  const { additionalProperties, maxProperties } = schema;
  switch (schema.type) {
    case 'array':
      return declareList(schema, names);
    case 'object':
      return isObject(additionalProperties)
        ? declareMap(additionalProperties, maxProperties, names)
        : declareObject(schema, names);
    case 'string':
      return declareText(schema);
    case 'boolean':
      return simple(TYPES.bool, MIN_SIZES.bool);
    case 'number':
      return simple(TYPES.double, MIN_SIZES.number);
    case 'integer':
      return simple(TYPES.int, MIN_SIZES.number);
    default:
      return undefined;
  }
};

/** The type of a schema's values in expressions; undefined for values that are hidden from them. */
export const declareSchema = (schema: OpenApiSchema): Declared | undefined => declare(schema, { count: 0 });

/** The maximum number of such values in one request, if the schema sets no limit. */
export const mostInRequest = ({ minSize }: Declared): bigint => BigInt(Math.floor(MAX_REQUEST / (minSize + 1)));
