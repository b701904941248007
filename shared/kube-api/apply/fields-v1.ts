import { isObject, type JsonObject } from '../json.ts';
import { createSet, type FieldSet, isEmpty } from './field-set.ts';
import { compareElements, readElement } from './path-element.ts';

/** The format FieldsV1 of managedFields: a leaf is `{}`, a member with children has one named `.` besides them. */

/** Deeper than any object may be; a longer path is an attempt to exhaust the stack. */
const MAX_DEPTH = 500;

/** Undefined if `fields` does not have this format. */
export const readFieldsV1 = (fields: unknown, depth = 0): FieldSet | undefined => {
  if (!isObject(fields) || depth > MAX_DEPTH) return undefined;
  const keys = Object.keys(fields);
  const set = createSet(depth > 0 && (keys.length === 0 || Object.hasOwn(fields, '.')));
  for (const key of keys) {
    if (key === '.') continue;
    const element = readElement(key);
    const child = element === undefined ? undefined : readFieldsV1(fields[key], depth + 1);
    if (element === undefined || !child) return undefined;
    if (!isEmpty(child)) set.children.set(element, child);
  }
  return set;
};

export const writeFieldsV1 = (set: FieldSet): JsonObject => {
  const entries: [string, JsonObject][] = [...set.children]
    .toSorted(([a], [b]) => compareElements(a, b))
    .map(([element, child]) => [element, writeFieldsV1(child)]);
  if (set.owned && entries.length > 0) entries.unshift(['.', {}]);
  return Object.fromEntries(entries);
};
