import { isDeepStrictEqual } from 'node:util';
import type { Attributes } from './flatten.ts';

/** A difference between the two schemas of a field. */
export interface Difference {
  /** Kind and version, such as `Machine/v1beta2`. */
  kind: string;
  /** The path in the form that `flatten` uses. */
  path: string;
  /** The keyword that differs; `field` if only one side has the field, in which case its subfields are not compared. */
  attribute: string;
  upstream: unknown;
  ours: unknown;
}

type Rows = ReadonlyMap<string, Attributes>;

const parentOf = (path: string): string => path.replace(/(\.[^.[{]+|\[\]|\{\})$/, '');

const fieldDifference = (path: string, upstream: Rows, ours: Rows): Omit<Difference, 'kind'>[] => {
  const parent = parentOf(path);
  const isBelowAnother = path !== '' && (!upstream.has(parent) || !ours.has(parent));
  return isBelowAnother ? [] : [{ path, attribute: 'field', upstream: upstream.has(path), ours: ours.has(path) }];
};

/** All differences between upstream's and Windlass's fields. */
export const compare = (kind: string, upstream: Rows, ours: Rows): Difference[] =>
  [...new Set([...upstream.keys(), ...ours.keys()])].flatMap((path) => {
    const [theirs, own] = [upstream.get(path), ours.get(path)];
    if (!theirs || !own) return fieldDifference(path, upstream, ours).map((found) => ({ kind, ...found }));
    return [...new Set([...Object.keys(theirs), ...Object.keys(own)])]
      .filter((attribute) => !isDeepStrictEqual(theirs[attribute], own[attribute]))
      .map((attribute) => ({ kind, path, attribute, upstream: theirs[attribute], ours: own[attribute] }));
  });
