import { TemplateError } from '../scan.ts';
import { isValueMap, isValues, printed, type Value } from '../values.ts';

/** Type conversions of sprig (github.com/Masterminds/sprig/v3), and its names of types. */

/** Converts a value like sprig's `toString`. */
export const textOf = (value: Value): string => (value === undefined || value === null ? '<nil>' : printed(value));

export const needText = (name: string, value: Value): string => {
  if (typeof value !== 'string') throw new TemplateError(`calls ${name} with something that is not text`);
  return value;
};

export const needList = (name: string, value: Value): readonly Value[] => {
  if (!isValues(value)) throw new TemplateError(`calls ${name} with something that is not a list`);
  return value;
};

export const needMap = (name: string, value: Value): { readonly [key: string]: Value } => {
  if (!isValueMap(value)) throw new TemplateError(`calls ${name} with something that is not a map`);
  return value;
};

/** More digits than a 64-bit integer has. The limit avoids parsing a million digits. */
const INTEGER = /^[+-]?\d{1,40}$/;

/** Wraps around at 64 bits, as Go's integers do. */
export const wrapped = (value: bigint): bigint => BigInt.asIntN(64, value);

/** Converts a string, a float or a boolean to an integer as the library `cast` does; anything else is 0. */
export const intOf = (value: Value): bigint => {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value !== 'string') return 0n;
  const read = INTEGER.test(value) ? BigInt(value.replace('+', '')) : 0n;
  return wrapped(read) === read ? read : 0n;
};

export const floatOf = (value: Value): number => {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(value) ? Number(value) : 0;
  return Number(intOf(value));
};

/** Reports whether sprig's `default` and `empty` treat a value as empty; zero and false are, too. */
export const isEmpty = (value: Value): boolean => {
  if (isValues(value)) return value.length === 0;
  return isValueMap(value) ? Object.keys(value).length === 0 : !value;
};

export const kindOf = (value: Value): string => {
  if (value === undefined || value === null) return 'invalid';
  if (isValues(value)) return 'slice';
  if (isValueMap(value)) return 'map';
  return { string: 'string', number: 'float64', bigint: 'int', boolean: 'bool' }[typeof value as string] ?? 'invalid';
};
