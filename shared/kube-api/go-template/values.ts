import { printDouble } from '../cel/functions/print.ts';
import { TemplateError } from './scan.ts';

/** Values of templates. Undefined: no such key. Numbers are floats, as those of JSON in Go; bigints are integers. */
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

/** Whether a value counts as true: what is empty does not. */
export const isTruth = (value: Value): boolean => {
  if (isValues(value)) return value.length > 0;
  return isValueMap(value) ? Object.keys(value).length > 0 : Boolean(value);
};

/** A value within another, where what is missing is nil. */
const printedWithin = (value: Value): string => (value === undefined || value === null ? '<nil>' : printed(value));

/** A value as Go prints it. */
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
 * The member of a value that `.a.b` names. A key that is not there is no error unless it is `required`; a member of a text
 * is one.
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
