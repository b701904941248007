import { isDeepStrictEqual } from 'node:util';
import { createSet, type FieldSet, isEmpty } from './field-set.ts';
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

/** The differences between two states of an object. */
export interface Comparison {
  added: FieldSet;
  modified: FieldSet;
  removed: FieldSet;
}

export const isSame = ({ added, modified, removed }: Comparison): boolean =>
  isEmpty(added) && isEmpty(modified) && isEmpty(removed);

export const compare = (schema: PartSchema, live: unknown, next: unknown): Comparison => {
  const comparison = { added: createSet(), modified: createSet(), removed: createSet() };
  walk({ ...comparison, element: '' }, schema, live, next);
  return comparison;
};

/**
 * Where the comparison is, and what the three sets hold there, as far as they reach: members are added without a way
 * from the root, which may be long.
 */
interface Place extends Partial<Comparison> {
  element: PathElement;
  parent?: Place;
}

const branchOf = (place: Place, kind: keyof Comparison): FieldSet => {
  const known = place[kind];
  if (known) return known;
  const siblings = place.parent ? branchOf(place.parent, kind).children : new Map<PathElement, FieldSet>();
  const branch = siblings.get(place.element) ?? createSet();
  siblings.set(place.element, branch);
  place[kind] = branch;
  return branch;
};

const enter = (kind: keyof Comparison, place: Place): void => {
  branchOf(place, kind).owned = true;
};

/** Null takes the shape of the other side: if that is a map, it is an empty map. */
const commonShape = (schema: PartSchema, live: unknown, next: unknown): Shape | undefined => {
  const [a, b] = [live ?? undefined, next ?? undefined];
  const shape = shapeOf(schema, b ?? a);
  return a === undefined || b === undefined || shapeOf(schema, a) === shape ? shape : undefined;
};

const walk = (place: Place, schema: PartSchema, live: unknown, next: unknown): void => {
  if (live === next) return;
  const shape = commonShape(schema, live, next);
  const isLeaf = shape === 'leaf' || (isEmptyContainer(live) && isEmptyContainer(next));
  if (shape === undefined) {
    // For a value of another type, the parts of the old one are removed and those of the new one are added.
    walkParts(place, schema, shapeOf(schema, live), live, undefined);
    walkParts(place, schema, shapeOf(schema, next), undefined, next);
  } else if (!isLeaf) walkParts(place, schema, shape, live, next);
  if (live === undefined) enter('added', place);
  else if (next === undefined) enter('removed', place);
  else if ((isLeaf || shape === undefined) && !sameLeaf(live, next)) enter('modified', place);
};

/** Scalars were compared by `===` before. */
const sameLeaf = (live: unknown, next: unknown): boolean =>
  typeof live === 'object' && typeof next === 'object' && isDeepStrictEqual(live, next);

const walkParts = (place: Place, schema: PartSchema, shape: Shape, live: unknown, next: unknown): void => {
  if (shape === 'map') walkMap(place, schema, live, next);
  else if (shape === 'list') walkList(place, schema, live, next);
};

const walkMap = (place: Place, schema: PartSchema, live: unknown, next: unknown): void => {
  const [before, after] = [membersOf(live), membersOf(next)];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    const now = Object.hasOwn(after, name) ? after[name] : undefined;
    walk({ element: fieldElement(name), parent: place }, fieldSchema(schema, name), old, now);
  }
};

const walkList = (place: Place, schema: PartSchema, live: unknown, next: unknown): void => {
  const before = Map.groupBy(identified(schema, live), ({ element }) => element);
  const after = Map.groupBy(identified(schema, next), ({ element }) => element);
  for (const element of new Set([...before.keys(), ...after.keys()])) {
    walkItems({ element, parent: place }, schema?.items, before.get(element) ?? [], after.get(element) ?? []);
  }
};

/**
 * The items with the same identity: at most one on either side, unless the list contains duplicates, which are one
 * unit. A former single item is removed with its parts, and a new single item is added with them.
 */
const walkItems = (place: Place, schema: PartSchema, before: readonly Item[], after: readonly Item[]): void => {
  const [hadSeveral, hasSeveral] = [before.length > 1, after.length > 1];
  if (hadSeveral && hasSeveral) {
    if (!isDeepStrictEqual(before, after)) enter('modified', place);
    return;
  }
  walk(place, schema, hadSeveral ? undefined : before[0]?.value, hasSeveral ? undefined : after[0]?.value);
  if (hadSeveral) enter('removed', place);
  if (hasSeveral) enter('added', place);
};
