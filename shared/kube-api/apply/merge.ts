import type { JsonObject } from '../json.ts';
import { fieldSchema, type Item, identified, isEmptyContainer, membersOf, type PartSchema, shapeOf } from './shape.ts';

/**
 * The live value merged with `config`: maps and keyed lists part by part, leaves as a whole. Nothing is removed here. A
 * null instead of a map or list with parts does not affect them.
 */
export const merge = (schema: PartSchema, live: unknown, config: unknown): unknown => {
  if (config === undefined) return live;
  if (live === undefined) return config;
  const shape = shapeOf(schema, config ?? live);
  const isOther = live !== null && shapeOf(schema, live) !== shape;
  if (shape === 'leaf' || isOther || (isEmptyContainer(live) && isEmptyContainer(config))) return config;
  return shape === 'map' ? mergeMap(schema, live, config) : mergeList(schema, live, config);
};

const own = (object: JsonObject, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);

const mergeMap = (schema: PartSchema, live: unknown, config: unknown): JsonObject => {
  const [old, given] = [membersOf(live), membersOf(config)];
  const names = new Set([...Object.keys(old), ...Object.keys(given)]);
  // Built from entries, so that a member named __proto__ is treated like any other.
  return Object.fromEntries(
    [...names].map((name) => [name, merge(fieldSchema(schema, name), own(old, name), own(given, name))]),
  );
};

/**
 * The items in the order of the config. Items that are only in the live list keep their place relative to those that
 * both have, as far as the two orders agree. Duplicates in the live list are kept unless the config contains them.
 */
const mergeList = (schema: PartSchema, live: unknown, config: unknown): unknown[] => {
  const [old, given] = [identified(schema, live), identified(schema, config)];
  const wanted = new Set(given.map(({ element }) => element));
  const known = Map.groupBy(old, ({ element }) => element);
  const result: unknown[] = [];
  const mergeItem = ({ element, value }: Item): unknown => {
    const same = known.get(element) ?? [];
    return merge(schema?.items, same.length === 1 ? same[0]?.value : undefined, value);
  };
  const shared = given.flatMap(({ element }, index) => (known.has(element) ? [{ element, index }] : []));
  let done = 0;
  // A position, because removing the first item would move all others: lists may be long.
  let next = 0;
  for (const item of old) {
    if (!wanted.has(item.element)) result.push(item.value);
    else if (item.element === shared[next]?.element) {
      const end = (shared[next]?.index ?? 0) + 1;
      for (const wantedItem of given.slice(done, end)) result.push(mergeItem(wantedItem));
      done = end;
      next += 1;
    }
  }
  return [...result, ...given.slice(done).map(mergeItem)];
};
