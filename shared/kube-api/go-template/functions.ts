import { Buffer } from 'node:buffer';
import { printf } from './printf.ts';
import { TemplateError } from './scan.ts';
import { isTruth, isValueMap, isValues, printed, type Value } from './values.ts';

const isEqual = (a: Value, b: Value): boolean => {
  if (isValueMap(a) || isValueMap(b) || isValues(a) || isValues(b)) throw new TemplateError('compares a map or a list');
  const isNothing = a === undefined || a === null || b === undefined || b === null;
  if (isNothing) return (a ?? null) === (b ?? null);
  if (typeof a !== typeof b) throw new TemplateError('compares values of different types');
  return a === b;
};

const isLess = (a: Value, b: Value): boolean => {
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b;
  if (typeof a !== 'string' || typeof b !== 'string') throw new TemplateError('orders values that have no order');
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
};

const lengthOf = (value: Value): Value => {
  if (typeof value === 'string') return BigInt(Buffer.byteLength(value));
  if (isValues(value)) return BigInt(value.length);
  if (isValueMap(value)) return BigInt(Object.keys(value).length);
  throw new TemplateError('uses the length of something that has none');
};

const itemOf = (value: Value, key: Value): Value => {
  if (isValueMap(value) && typeof key === 'string') return Object.hasOwn(value, key) ? value[key] : undefined;
  if (!isValues(value) || typeof key !== 'bigint') throw new TemplateError('calls index on what has no such items');
  if (key < 0n || key >= BigInt(value.length)) throw new TemplateError('calls index with one that is out of range');
  return value[Number(key)];
};

const isIndex = (value: Value): value is bigint => typeof value === 'bigint' && value >= 0n;

/** Slices strings by bytes, as Go does. There is no third index, because lists here have no capacity. */
const slice = (value: Value, indices: readonly Value[]): Value => {
  const whole = typeof value === 'string' ? Buffer.from(value) : value;
  if (!Buffer.isBuffer(whole) && !isValues(whole)) throw new TemplateError('slices what is neither a text nor a list');
  const [start = 0n, end = BigInt(whole.length)] = indices;
  if (!isIndex(start) || !isIndex(end) || start > end || end > BigInt(whole.length)) {
    throw new TemplateError('calls slice with an index that is out of range');
  }
  const part = whole.slice(Number(start), Number(end));
  return Buffer.isBuffer(part) ? part.toString() : part;
};

/** Like Go's fmt.Sprint, separates two values with a space if neither is a string. */
const print = (values: readonly Value[]): string =>
  values
    .map((value, index) => {
      const before = values[index - 1];
      const isSpaced = index > 0 && typeof value !== 'string' && typeof before !== 'string';
      return `${isSpaced ? ' ' : ''}${printed(value)}`;
    })
    .join('');

export interface TemplateFunction {
  /** The minimum and maximum number of arguments. */
  takes: readonly [number, number];
  /** Absent for `and` and `or`, which evaluate no more arguments than they need. */
  run?(...values: Value[]): Value;
  /** The cost, in characters, of anything beyond reading the arguments and writing the result, if it is significant. */
  work?(values: readonly Value[], sizeOf: (value: Value) => number): number;
}

const MANY = Number.POSITIVE_INFINITY;

/** Functions by name. */
export type Functions = Readonly<Record<string, TemplateFunction>>;

/** The supported predefined functions of Go. */
export const BUILTINS: Functions = {
  and: { takes: [1, MANY] },
  or: { takes: [1, MANY] },
  not: { takes: [1, 1], run: (a) => !isTruth(a) },
  eq: { takes: [2, MANY], run: (a, ...others) => others.some((b) => isEqual(a, b)) },
  ne: { takes: [2, 2], run: (a, b) => !isEqual(a, b) },
  lt: { takes: [2, 2], run: isLess },
  le: { takes: [2, 2], run: (a, b) => !isLess(b, a) },
  gt: { takes: [2, 2], run: (a, b) => isLess(b, a) },
  ge: { takes: [2, 2], run: (a, b) => !isLess(a, b) },
  len: { takes: [1, 1], run: lengthOf },
  index: { takes: [1, MANY], run: (value, ...keys) => keys.reduce(itemOf, value) },
  slice: { takes: [1, 3], run: (value, ...indices) => slice(value, indices) },
  print: { takes: [0, MANY], run: (...values) => print(values) },
  println: { takes: [0, MANY], run: (...values) => `${values.map(printed).join(' ')}\n` },
  printf: { takes: [1, MANY], run: (template, ...values) => printf(template, values) },
};
