import { Buffer } from 'node:buffer';
import { readWordedDuration } from '../duration-text.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { OpenApiSchema } from '../resource.ts';
import { parseTimestamp } from './functions/time.ts';
import { asListOf, type Identity } from './list-identity.ts';
import { asData, CelError, type CelValue, Duration } from './value.ts';

const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** The identifier of a property in expressions; undefined if it has none (k8s.io/apiserver/pkg/cel Escape). */
export const escapeProperty = (name: string): string | undefined => {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_./-][\w./-]*$/.test(name)) return undefined;
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
};

/** Converts a value without a schema of its own (int-or-string). */
const fromUntyped = (value: unknown): CelValue => {
  if (Array.isArray(value)) return value.map(fromUntyped);
  if (isObject(value)) return new Map(Object.entries(value).map(([key, member]) => [key, fromUntyped(member)]));
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
};

const durationOf = (text: string): CelValue => {
  const ns = readWordedDuration(text);
  return ns === undefined ? new CelError(`Invalid duration ${text}: it cannot be read`) : new Duration(ns);
};

/** Formats accept some times that the parser rejects, such as those with a lowercase `t` and `z`. */
const timeOf = (text: string, format: string, time = text): CelValue => {
  try {
    return parseTimestamp(time);
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return new CelError(`Invalid ${format} formatted string ${text}: it cannot be read`);
  }
};

const fromText = (text: string, format: string | undefined): CelValue => {
  if (format === 'byte') return Buffer.from(text, 'base64');
  if (format === 'duration') return durationOf(text);
  if (format === 'date') return timeOf(text, format, `${text}T00:00:00Z`);
  return format === 'date-time' ? timeOf(text, format) : text;
};

const fromObject = (schema: OpenApiSchema, value: JsonObject): CelValue => {
  const { properties, additionalProperties } = schema;
  if (isObject(additionalProperties)) {
    return asData(new Map(Object.entries(value).map(([key, member]) => [key, fromJson(additionalProperties, member)])));
  }
  const members = Object.entries(value).flatMap(([key, member]): [string, CelValue][] => {
    const known = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
    const name = escapeProperty(key);
    return known && name !== undefined && member !== undefined ? [[name, fromJson(known, member)]] : [];
  });
  return asData(new Map(members));
};

const identityOfItems = (schema: OpenApiSchema): Identity | undefined => {
  const { 'x-kubernetes-list-type': type, 'x-kubernetes-list-map-keys': keys = [] } = schema;
  if (type === 'map') return keys.map((key) => escapeProperty(key) ?? key);
  return type === 'set' ? type : undefined;
};

const fromList = (schema: OpenApiSchema, items: readonly unknown[]): CelValue =>
  asListOf(
    identityOfItems(schema),
    items.map((item) => (schema.items ? fromJson(schema.items, item) : fromUntyped(item))),
  );

/**
 * Converts a JSON value that is valid by its structural schema to CEL types. Unknown fields are hidden, and strings
 * that cannot be parsed become errors.
 */
export const fromJson = (schema: OpenApiSchema, value: unknown): CelValue => {
  if (schema['x-kubernetes-int-or-string']) return fromUntyped(value);
  if (Array.isArray(value)) return fromList(schema, value);
  if (isObject(value)) return fromObject(schema, value);
  if (typeof value === 'string') return fromText(value, schema.format);
  if (typeof value === 'number') return schema.type === 'integer' ? BigInt(Math.trunc(value)) : value;
  return typeof value === 'boolean' ? value : null;
};
