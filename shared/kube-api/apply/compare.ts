import { isDeepStrictEqual } from 'node:util';
import { createSet, type FieldSet, insert, isEmpty } from './field-set.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import {
  fieldSchema,
  type Item,
  identified,
  isEmptyContainer,
  membersOf,
  type PartSchema,
  type Shape,
  shapeOf,
} from './shape.ts';

/** What differs between two states of an object. */
export interface Comparison {
  added: FieldSet;
  modified: FieldSet;
  removed: FieldSet;
}

export const isSame = ({ added, modified, removed }: Comparison): boolean =>
  isEmpty(added) && isEmpty(modified) && isEmpty(removed);

export const compare = (schema: PartSchema, live: unknown, next: unknown): Comparison => {
  const comparison = { added: createSet(), modified: createSet(), removed: createSet() };
  walk(comparison, [], schema, live, next);
  return comparison;
};

/** Null takes the shape of the other side: it is an empty map if that is a map. */
const commonShape = (schema: PartSchema, live: unknown, next: unknown): Shape | undefined => {
  const [a, b] = [live ?? undefined, next ?? undefined];
  const shape = shapeOf(schema, b ?? a);
  return a === undefined || b === undefined || shapeOf(schema, a) === shape ? shape : undefined;
};

const walk = (into: Comparison, path: PathElement[], schema: PartSchema, live: unknown, next: unknown): void => {
  if (live === next) return;
  const shape = commonShape(schema, live, next);
  const isLeaf = shape === 'leaf' || (isEmptyContainer(live) && isEmptyContainer(next));
  if (shape === undefined) {
    // A value of another type: the parts of the old one are gone, those of the other are new.
    walkParts(into, path, schema, shapeOf(schema, live), live, undefined);
    walkParts(into, path, schema, shapeOf(schema, next), undefined, next);
  } else if (!isLeaf) walkParts(into, path, schema, shape, live, next);
  if (live === undefined) insert(into.added, path);
  else if (next === undefined) insert(into.removed, path);
  else if ((isLeaf || shape === undefined) && !sameLeaf(live, next)) insert(into.modified, path);
};

/** Scalars were compared by `===` before. */
const sameLeaf = (live: unknown, next: unknown): boolean =>
  typeof live === 'object' && typeof next === 'object' && isDeepStrictEqual(live, next);

const walkParts = (
  into: Comparison,
  path: PathElement[],
  schema: PartSchema,
  shape: Shape,
  live: unknown,
  next: unknown,
): void => {
  if (shape === 'map') walkMap(into, path, schema, live, next);
  else if (shape === 'list') walkList(into, path, schema, live, next);
};

const walkMap = (into: Comparison, path: PathElement[], schema: PartSchema, live: unknown, next: unknown): void => {
  const [before, after] = [membersOf(live), membersOf(next)];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    const now = Object.hasOwn(after, name) ? after[name] : undefined;
    path.push(fieldElement(name));
    walk(into, path, fieldSchema(schema, name), old, now);
    path.pop();
  }
};

const walkList = (into: Comparison, path: PathElement[], schema: PartSchema, live: unknown, next: unknown): void => {
  const before = Map.groupBy(identified(schema, live), ({ element }) => element);
  const after = Map.groupBy(identified(schema, next), ({ element }) => element);
  for (const element of new Set([...before.keys(), ...after.keys()])) {
    path.push(element);
    walkItems(into, path, schema?.items, before.get(element) ?? [], after.get(element) ?? []);
    path.pop();
  }
};

/**
 * The items of one identity: one on either side at most, unless the list holds duplicates, which are one whole. What was
 * a single item before is removed with its parts, and what is one again is added with them.
 */
const walkItems = (
  into: Comparison,
  path: PathElement[],
  schema: PartSchema,
  before: readonly Item[],
  after: readonly Item[],
): void => {
  const [hadSeveral, hasSeveral] = [before.length > 1, after.length > 1];
  if (hadSeveral && hasSeveral) {
    if (!isDeepStrictEqual(before, after)) insert(into.modified, path);
    return;
  }
  walk(into, path, schema, hadSeveral ? undefined : before[0]?.value, hasSeveral ? undefined : after[0]?.value);
  if (hadSeveral) insert(into.removed, path);
  if (hasSeveral) insert(into.added, path);
};
