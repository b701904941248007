import { isObject, type JsonObject } from '../json.ts';
import type { OpenApiSchema } from '../resource.ts';
import { describePath, fieldElement, type PathElement } from './path-element.ts';
import { fieldSchema, identify, isDeclared, itemsOf, membersOf, type PartSchema } from './shape.ts';

/**
 * Errors that prevent an apply of a config: fields that the schema does not declare, values of another type, and list
 * items with the same identity. Unlike a stored object it may contain none of these, because no manager could own them.
 */
export const checkConfig = (schema: PartSchema, config: unknown): string[] => {
  const errors: string[] = [];
  check(errors, [], schema, config);
  return errors;
};

const SCALARS: Readonly<Record<string, { is: (value: unknown) => boolean; wanted: string }>> = {
  string: { is: (value) => typeof value === 'string', wanted: 'string' },
  boolean: { is: (value) => typeof value === 'boolean', wanted: 'boolean' },
  integer: { is: (value) => typeof value === 'number', wanted: 'numeric (int or float)' },
  number: { is: (value) => typeof value === 'number', wanted: 'numeric (int or float)' },
};

const typeOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'list';
  return isObject(value) ? 'map' : typeof value;
};

const check = (errors: string[], path: PathElement[], schema: PartSchema, value: unknown): void => {
  if (schema === undefined || value === null) return;
  const say = (why: string): void => void errors.push(`${describePath(path)}: ${why}`);
  const { type } = schema;
  const scalar = type === undefined ? undefined : SCALARS[type];
  if (scalar && !scalar.is(value)) say(`expected ${scalar.wanted}, got ${typeOf(value)}`);
  else if (type === 'array' && !Array.isArray(value)) say(`expected list, got ${typeOf(value)}`);
  else if (type === 'object' && !isObject(value)) say(`expected map, got ${typeOf(value)}`);
  else if (isObject(value)) checkMap(errors, path, schema, value);
  else if (Array.isArray(value)) checkList(errors, path, schema, value);
};

const allowsAnything = ({ type, additionalProperties, ...schema }: OpenApiSchema): boolean =>
  Boolean(additionalProperties || schema['x-kubernetes-preserve-unknown-fields'] || type === undefined);

const checkMap = (errors: string[], path: PathElement[], schema: OpenApiSchema, value: JsonObject): void => {
  for (const [name, member] of Object.entries(membersOf(value))) {
    path.push(fieldElement(name));
    if (isDeclared(schema, name) || allowsAnything(schema)) check(errors, path, fieldSchema(schema, name), member);
    else errors.push(`${describePath(path)}: field not declared in schema`);
    path.pop();
  }
};

const checkList = (errors: string[], path: PathElement[], schema: OpenApiSchema, value: unknown): void => {
  const type = schema['x-kubernetes-list-type'];
  const isAssociative = type === 'set' || type === 'map';
  const seen = new Set<PathElement>();
  for (const [index, item] of itemsOf(value).entries()) {
    const identity = isAssociative ? identify(schema, item) : { element: `i:${index}` };
    if ('why' in identity) {
      errors.push(`${describePath(path)}: element ${index}: ${identity.why}`);
      continue;
    }
    const { element } = identity;
    if (seen.has(element)) errors.push(`${describePath(path)}: duplicate entries for key ${describePath([element])}`);
    seen.add(element);
    path.push(element);
    check(errors, path, schema.items, item);
    path.pop();
  }
};
