import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../json.ts';

/** A step into a value: the key of a member, or the item of a list that has this value in this field. */
type Step = string | { [field: string]: string };

/** One difference, at a path; `from` or `to` is absent if there is no value. */
export interface Edit {
  at: Step[];
  from?: unknown;
  to?: unknown;
}

/**
 * The edits that turn `from` into `to`, as deep as possible: edits stay valid if something else in the value changes.
 * Items of lists are identified by their names; lists without names are one value.
 */
export const difference = (from: unknown, to: unknown, at: Step[] = []): Edit[] => {
  if (isDeepStrictEqual(from, to)) return [];
  if (isObject(from) && isObject(to)) {
    const keys = new Set([...Object.keys(from), ...Object.keys(to)]);
    return [...keys].flatMap((key) => difference(own(from, key), own(to, key), [...at, key]));
  }
  if (Array.isArray(from) && Array.isArray(to)) {
    const field = sharedName(from, to);
    if (field) return from.flatMap((item, index) => difference(item, to[index], [...at, { [field]: item[field] }]));
  }
  return [{ at, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }];
};

/** A copy of `value` with the edits, except those whose `from` is no longer the current value. */
export const edit = (value: unknown, edits: readonly Edit[]): unknown =>
  edits.reduce((edited, { at, from, to }) => editAt(edited, at, from, to), value);

const editAt = (value: unknown, [step, ...rest]: readonly Step[], from: unknown, to: unknown): unknown => {
  if (step === undefined) return isDeepStrictEqual(value, from) ? to : value;
  if (typeof step === 'string')
    return isObject(value) ? withMember(value, step, editAt(own(value, step), rest, from, to)) : value;
  if (!Array.isArray(value)) return value;
  const [[field, name] = ['', '']] = Object.entries(step);
  return value.map((item) => (isObject(item) && own(item, field) === name ? editAt(item, rest, from, to) : item));
};

const own = (object: JsonObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);

const withMember = (object: JsonObject, key: string, member: unknown): JsonObject => {
  if (member !== undefined) return { ...object, [key]: member };
  const { [key]: _, ...others } = object;
  return others;
};

/** The fields by which items of lists are named in the kinds of the API. */
const NAMES = ['name', 'type', 'path', 'conditionType', 'key', 'device', 'version', 'class', 'topologyKey'];

/** The field that names the items of both lists, if both have the same names in the same order. */
const sharedName = (from: readonly unknown[], to: readonly unknown[]): string | undefined => {
  if (from.length !== to.length) return undefined;
  return NAMES.find((field) => {
    const names = from.map((item) => (isObject(item) ? own(item, field) : undefined));
    const distinct = new Set(names.filter((name) => typeof name === 'string'));
    return (
      distinct.size === from.length && to.every((item, index) => isObject(item) && own(item, field) === names[index])
    );
  });
};
