import { isObject } from '../json.ts';
import type { OpenApiSchema } from '../resource.ts';

/** Matches list items by identity: items of a `map` list are the same if their keys are equal. */

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** The keys that identify an item of a `map` list, sorted as Go prints maps. */
export const keyOfItem = (keys: readonly string[], item: unknown): unknown =>
  isObject(item)
    ? Object.fromEntries(
        keys
          .filter((key) => Object.hasOwn(item, key))
          .map((key) => [key, item[key]] as const)
          .toSorted(byKey),
      )
    : item;

/** A string that two JSON values share only if they are equal, regardless of the order of members. */
export const identityText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(identityText).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'undefined';
  const members = Object.entries(value).toSorted(byKey);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${identityText(member)}`).join(',')}}`;
};

const nothing = (): undefined => undefined;

/**
 * Returns a function that finds the item of the earlier list that an item replaces. Only items of `map` lists have an
 * identity, so it finds nothing in other lists.
 */
export const correlated = (schema: OpenApiSchema, old: unknown): ((item: unknown) => unknown) => {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old)) return nothing;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const known = new Map(old.map((item) => [identityText(keyOfItem(keys, item)), item as unknown]));
  return (item) => known.get(identityText(keyOfItem(keys, item)));
};
