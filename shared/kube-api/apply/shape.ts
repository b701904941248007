import { isObject, type JsonObject } from '../json.ts';
import type { OpenApiSchema } from '../resource.ts';
import { keyElement, type PathElement, valueElement } from './path-element.ts';

/**
 * A value from the perspective of ownership: a leaf that one manager sets as a whole (scalars, null, atomic lists and
 * maps), or a `map` or `list` whose parts may have different managers. Without a schema, objects are maps and lists are
 * leaves.
 */
export type Shape = 'leaf' | 'map' | 'list';

/** The schema of a part of an object; undefined if anything is allowed. */
export type PartSchema = OpenApiSchema | undefined;

export const shapeOf = (schema: PartSchema, value: unknown): Shape => {
  if (isObject(value)) return schema?.['x-kubernetes-map-type'] === 'atomic' ? 'leaf' : 'map';
  if (!Array.isArray(value)) return 'leaf';
  const type = schema?.['x-kubernetes-list-type'];
  return type === 'set' || type === 'map' ? 'list' : 'leaf';
};

export const isDeclared = (schema: PartSchema, name: string): boolean =>
  schema?.properties !== undefined && Object.hasOwn(schema.properties, name);

/** The schema of a field of an object. */
export const fieldSchema = (schema: PartSchema, name: string): PartSchema => {
  if (isDeclared(schema, name)) return schema?.properties?.[name];
  return isObject(schema?.additionalProperties) ? schema.additionalProperties : undefined;
};

/** The parts of a map; none for a value that is not a map. */
export const membersOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The items of a list; none for a value that is not a list. */
export const itemsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const isEmptyContainer = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

/** The identity of an item in a `map` list, with the defaults of omitted keys; else why it has no identity. */
const keysOf = (schema: OpenApiSchema, item: unknown): JsonObject | string => {
  if (item === null) return 'associative list with keys may not have a null element';
  if (!isObject(item)) return 'associative list with keys may not have non-map elements';
  const keys: JsonObject = {};
  for (const name of schema['x-kubernetes-list-map-keys'] ?? []) {
    const key = Object.hasOwn(item, name) ? item[name] : schema.items?.properties?.[name]?.default;
    if (key === undefined) {
      const name_ = JSON.stringify(name);
      return `associative list with keys has an element that omits key field ${name_} (and doesn't have default value)`;
    }
    keys[name] = key;
  }
  return keys;
};

/** The element of an item of a `set` or `map` list, or why it has none. */
export const identify = (schema: OpenApiSchema, item: unknown): { element: PathElement } | { why: string } => {
  if (schema['x-kubernetes-list-type'] === 'map') {
    const keys = keysOf(schema, item);
    return typeof keys === 'string' ? { why: keys } : { element: keyElement(keys) };
  }
  if (item === null) return { why: 'associative list without keys has an element that is an explicit null' };
  if (isObject(item)) return { why: "associative list without keys has an element that's a map type" };
  if (Array.isArray(item)) return { why: "associative list without keys has an element that's a list type" };
  return { element: valueElement(item) };
};

export interface Item {
  element: PathElement;
  value: unknown;
}

/** The items of a stored list. One without an identity, which validation should have refused, goes by its place. */
export const identified = (schema: PartSchema, list: unknown): Item[] =>
  itemsOf(list).map((value, index) => {
    const identity = identify(schema ?? {}, value);
    return { element: 'element' in identity ? identity.element : `i:${index}`, value };
  });
