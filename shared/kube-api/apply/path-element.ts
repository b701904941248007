import { tryJson } from '../../decode/json.ts';
import { isDeeperThan, isObject, type JsonObject } from '../json.ts';

/**
 * One step of a path into an object, in the form in which `fieldsV1` writes it: `f:<field>`, `k:<keys of a list item>`,
 * `v:<value of a set>`, `i:<index>`. As strings they are comparable and need no translation when they are stored.
 */
export type PathElement = string;

export const fieldElement = (name: string): PathElement => `f:${name}`;

/** The field that an element names, or undefined for an item of a list. */
export const fieldOf = (element: PathElement): string | undefined =>
  element.startsWith('f:') ? element.slice(2) : undefined;

export const valueElement = (value: unknown): PathElement => `v:${JSON.stringify(value)}`;

/** The keys in a fixed order, regardless of that of the item, so that the same item always has the same element. */
export const keyElement = (keys: JsonObject): PathElement =>
  `k:${JSON.stringify(
    Object.fromEntries(
      Object.keys(keys)
        .toSorted()
        .map((key) => [key, keys[key]]),
    ),
  )}`;

/** Keys and values are scalars; a deep value is an attempt to exhaust the stack. */
const MAX_DEPTH = 100;

const parsed = (json: string): unknown => {
  const value = tryJson(json);
  return isDeeperThan(value, MAX_DEPTH) ? undefined : value;
};

/** The element in `text`, in our own spelling; undefined if it contains none. */
export const readElement = (text: string): PathElement | undefined => {
  if (text.startsWith('f:')) return text;
  const rest = text.slice(2);
  if (text.startsWith('i:')) return /^-?\d+$/.test(rest) ? text : undefined;
  const value = parsed(rest);
  if (text.startsWith('k:')) return isObject(value) ? keyElement(value) : undefined;
  return text.startsWith('v:') && value !== undefined ? valueElement(value) : undefined;
};

const RANKS: Readonly<Record<string, number>> = { f: 0, k: 1, v: 2, i: 3 };

/** The order of `fieldsV1`: fields, keyed items, values, indexes, each by its text. */
export const compareElements = (a: PathElement, b: PathElement): number => {
  const rank = (RANKS[a[0] ?? ''] ?? 0) - (RANKS[b[0] ?? ''] ?? 0);
  if (rank !== 0) return rank;
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

const describeElement = (element: PathElement): string => {
  const rest = element.slice(2);
  if (element.startsWith('f:')) return `.${rest}`;
  if (element.startsWith('i:')) return `[${rest}]`;
  if (element.startsWith('v:')) return `[=${rest}]`;
  const keys = Object.entries(JSON.parse(rest) as JsonObject);
  return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`;
};

/** A path as conflicts show it: `.spec.taints[effect="NoSchedule",key="a"].value`. */
export const describePath = (path: readonly PathElement[]): string => path.map(describeElement).join('');
