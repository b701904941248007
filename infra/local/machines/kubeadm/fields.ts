/** Readers of untyped configuration. Each throws an Error with the name of the field and the expected type. */

export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A nested map; empty if it is absent. */
export const section = (source: Fields, key: string): Fields => {
  const value = source[key];
  if (value === undefined || value === null) return {};
  if (!isFields(value)) throw new Error(`json: cannot unmarshal ${typeOf(value)} into field ${key} of type object`);
  return value;
};

/** A string, or undefined if it is absent or empty. */
export const text = (source: Fields, key: string): string | undefined => {
  const value = source[key];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string')
    throw new Error(`json: cannot unmarshal ${typeOf(value)} into field ${key} of type string`);
  return value;
};

export const integer = (source: Fields, key: string): number | undefined => {
  const value = source[key];
  if (value === undefined || value === null) return undefined;
  if (!Number.isInteger(value))
    throw new Error(`json: cannot unmarshal ${typeOf(value)} into field ${key} of type int32`);
  return value as number;
};

const list = (source: Fields, key: string): unknown[] => {
  const value = source[key];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Error(`json: cannot unmarshal ${typeOf(value)} into field ${key} of type array`);
  return value;
};

export const texts = (source: Fields, key: string): string[] =>
  list(source, key).map((value) => text({ [key]: value }, key) ?? '');

export const sections = (source: Fields, key: string): Fields[] =>
  list(source, key).map((value) => section({ [key]: value }, key));

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** A Go duration such as `5m0s`, in milliseconds; undefined if it is absent. */
export const duration = (source: Fields, key: string): number | undefined => {
  const value = text(source, key);
  if (value === undefined) return undefined;
  const parts = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)];
  const isWhole = parts.length > 0 && parts.map(([all]) => all).join('') === value;
  if (!isWhole && value !== '0') throw new Error(`${key}: time: invalid duration "${value}"`);
  return parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (UNITS[unit] ?? 0), 0);
};
