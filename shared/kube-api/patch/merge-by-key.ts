import { isObject, type JsonObject } from '../json.ts';
import { badRequest } from '../status-error.ts';

/** Returns the same string for equal values, regardless of the order of members, and different strings for others. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, member) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([first], [second]) => (first < second ? -1 : 1)))
      : member,
  ) ?? '';

const REMOVED = Symbol('an item that is removed');

/** Maps each key to the positions of its items, in descending order. */
const indexOf = (key: string, list: readonly unknown[]): Map<string, number[]> => {
  const places = new Map<string, number[]>();
  for (const [place, item] of [...list.entries()].reverse()) {
    if (!isObject(item)) continue;
    const text = textOf(item[key]);
    const known = places.get(text);
    if (known) known.push(place);
    else places.set(text, [place]);
  }
  return places;
};

interface Merging {
  key: string;
  list: unknown[];
  index: Map<string, number[]>;
  merge(old: JsonObject, item: JsonObject): JsonObject;
}

const mergeItem = ({ key, list, index, merge }: Merging, item: JsonObject): void => {
  const text = textOf(item[key]);
  const places = index.get(text) ?? [];
  index.set(text, places);
  const place = places.at(-1) ?? list.length;
  if (item.$patch === 'delete') {
    if (places.pop() !== undefined) list[place] = REMOVED;
    return;
  }
  const old = list[place];
  const merged = merge(isObject(old) ? old : {}, item);
  list[place] = merged;
  // If the patch changes the item's key, later patch items no longer match it.
  if (textOf(merged[key]) !== text) places.pop();
  else if (places.length === 0) places.push(place);
};

/**
 * Merges the items of a patch into a list. Each is merged into the first item with its key, removes that item, or is
 * added. Items are looked up in an index, because both lists may be long.
 */
export const mergeByKey = (
  key: string,
  target: readonly unknown[],
  patch: readonly unknown[],
  merge: Merging['merge'],
): unknown[] => {
  const merging: Merging = { key, list: [...target], index: indexOf(key, target), merge };
  for (const item of patch) {
    if (!isObject(item) || item[key] === undefined) {
      throw badRequest(`map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`);
    }
    mergeItem(merging, item);
  }
  return merging.list.filter((item) => item !== REMOVED);
};
