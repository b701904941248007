import { isObject, type JsonObject } from '../json.ts';
import { badRequest } from '../status-error.ts';

/** The same for equal values, in whatever order their members are, and for no others. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, member) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([first], [second]) => (first < second ? -1 : 1)))
      : member,
  ) ?? '';

const REMOVED = Symbol('an item that is removed');

/** Where the items of each key are, the first of them last. */
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
  // An item that loses its key by the patch is found no more.
  if (textOf(merged[key]) !== text) places.pop();
  else if (places.length === 0) places.push(place);
};

/**
 * The list with the items of a patch: each is merged into the first item of its key, removes that, or is added. Items are
 * found by an index: both lists may be long.
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
