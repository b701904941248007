import { printDouble } from '../cel/functions/print.ts';
import { TemplateError } from './scan.ts';

/**
 * Template values. Undefined is a missing key, a number is a float, like JSON numbers in Go, and a bigint is an
 * integer.
 */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | readonly Value[]
  | { readonly [key: string]: Value };

export type ValueMap = { readonly [key: string]: Value };

export const isValues = (value: Value): value is readonly Value[] => Array.isArray(value);

export const isValueMap = (value: Value): value is ValueMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNothing = (value: Value): value is null | undefined => value === undefined || value === null;

/** The keys of a map in Go's order. */
export const sortedKeys = (map: ValueMap): string[] => Object.keys(map).sort((a, b) => (a < b ? -1 : 1));

/** Reports whether a value is true in a condition; empty values are not. */
export const isTruth = (value: Value): boolean => {
  if (isValues(value)) return value.length > 0;
  return isValueMap(value) ? Object.keys(value).length > 0 : Boolean(value);
};

/** Prints a value inside a list or map, where Go prints a missing value as `<nil>`. */
const printedWithin = (value: Value): string => (value === undefined || value === null ? '<nil>' : printed(value));

/** Prints a value as Go does. */
export const printed = (value: Value): string => {
  if (value === undefined || value === null) return '<no value>';
  if (typeof value === 'number') return printDouble(value);
  if (isValues(value)) return `[${value.map(printedWithin).join(' ')}]`;
  if (!isValueMap(value)) return String(value);
  return `map[${sortedKeys(value)
    .map((key) => `${key}:${printedWithin(value[key])}`)
    .join(' ')}]`;
};

/**
 * Returns the member that `.a.b` selects. A missing key is an error only if `required` is set; a field of a string
 * always is.
 */
export const memberOf = (value: Value, path: string, required = false): Value =>
  path
    .split('.')
    .filter((key) => key !== '')
    .reduce((at, key) => {
      const isThere = isValueMap(at) && Object.hasOwn(at, key);
      if (required && !isThere && (isValueMap(at) || isNothing(at))) {
        throw new TemplateError(`uses a map that has no entry for key "${key}"`);
      }
      if (isNothing(at)) return undefined;
      if (!isValueMap(at)) throw new TemplateError('uses a field of something that is not a map');
      return isThere ? at[key] : undefined;
    }, value);
