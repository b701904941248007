import { Buffer } from 'node:buffer';
import { Entries, entryOf } from '../entries.ts';
import { isEqual } from '../equality.ts';
import { inRange, uintInRange } from '../functions/core.ts';
import { printDouble } from '../functions/print.ts';
import { durationInRange, timestampInRange } from '../functions/time.ts';
import { asListOf, identityOf, itemsByKey } from '../list-identity.ts';
import {
  CelError,
  type CelValue,
  compare,
  Duration,
  isData,
  isList,
  isMap,
  noOverload,
  numberOf,
  Optional,
  readable,
  Timestamp,
  typeOf,
  Uint,
} from '../value.ts';

type Arithmetic = '+' | '-' | '*' | '/' | '%';

const divide = (op: '/' | '%', a: bigint, b: bigint): bigint => {
  if (b === 0n) throw new CelError(op === '/' ? 'division by zero' : 'modulus by zero');
  return op === '/' ? a / b : a % b;
};

const onIntegers = (op: Arithmetic, a: bigint, b: bigint): bigint => {
  if (op === '+') return a + b;
  if (op === '-') return a - b;
  return op === '*' ? a * b : divide(op, a, b);
};

const onDoubles = (op: Arithmetic, a: number, b: number): CelValue | undefined => {
  if (op === '+') return a + b;
  if (op === '-') return a - b;
  if (op === '*') return a * b;
  return op === '/' ? a / b : undefined;
};

const onTimes = (op: Arithmetic, a: CelValue, b: CelValue): CelValue | undefined => {
  if (op !== '+' && op !== '-') return undefined;
  const sign = op === '-' ? -1n : 1n;
  if (a instanceof Duration && b instanceof Duration) return durationInRange(a.ns + sign * b.ns);
  if (a instanceof Timestamp && b instanceof Duration) return timestampInRange(a.ns + sign * b.ns, a.offset);
  if (op === '+' && a instanceof Duration && b instanceof Timestamp) return timestampInRange(a.ns + b.ns, b.offset);
  return op === '-' && a instanceof Timestamp && b instanceof Timestamp ? durationInRange(a.ns - b.ns) : undefined;
};

/** If the left list has an identity, items of the right list replace those with the same identity. */
const concatenated = (a: readonly CelValue[], b: readonly CelValue[]): CelValue => {
  const identity = identityOf(a);
  if (!identity) return [...a, ...b];
  const items = [...itemsByKey(identity, a), ...itemsByKey(identity, b)];
  return asListOf(identity, [...new Map(items).values()]);
};

const joined = (a: CelValue, b: CelValue): CelValue | undefined => {
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (isList(a) && isList(b)) return concatenated(a, b);
  return a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.concat([a, b]) : undefined;
};

const arithmetic = (op: Arithmetic, a: CelValue, b: CelValue): CelValue => {
  if (typeof a === 'bigint' && typeof b === 'bigint') return inRange(onIntegers(op, a, b));
  if (a instanceof Uint && b instanceof Uint) return uintInRange(onIntegers(op, a.value, b.value));
  const value =
    typeof a === 'number' && typeof b === 'number'
      ? onDoubles(op, a, b)
      : (onTimes(op, a, b) ?? (op === '+' ? joined(a, b) : undefined));
  if (value === undefined) throw noOverload();
  return value;
};

type Members = ReadonlyMap<CelValue, CelValue>;

/** A map from a schema has only string keys: looking up another type of key is an error, not a missing key. */
const memberOf = (map: Members, key: CelValue): CelValue | undefined => {
  if (isData(map) && typeof key !== 'string') throw noOverload();
  return entryOf(map, key);
};

const isIn = (item: CelValue, container: CelValue): boolean => {
  if (isList(container)) return container.some((it) => isEqual(it, item));
  if (isMap(container)) return memberOf(container, item) !== undefined;
  throw noOverload();
};

const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/**
 * A left operand from a schema, list or map, can be compared only with a value of its kind or null; a literal can be
 * compared with anything.
 */
const isEqualData = (a: CelValue, b: CelValue): boolean => {
  const isLike = isList(a) === isList(b) && isMap(a) === isMap(b);
  if (isData(a) && b !== null && !isLike) throw noOverload();
  return isEqual(a, b);
};

const INTEGERS = ['int', 'uint'];
const NUMBERS = [...INTEGERS, 'double'];
const TIMES = ['google.protobuf.Duration', 'google.protobuf.Timestamp'];

/** The types of left operands that support each operator; for other types, the error names the missing operator. */
const LEFT: Readonly<Record<string, readonly string[]>> = {
  '+': [...NUMBERS, ...TIMES, 'string', 'bytes', 'list'],
  '-': [...NUMBERS, ...TIMES],
  '*': NUMBERS,
  '/': NUMBERS,
  '%': INTEGERS,
};
/** Types with methods. For these types, the error does not name the missing operator. */
const RECEIVERS = [...TIMES, 'string'];
const ORDERED = [...NUMBERS, ...TIMES, 'bool', 'string', 'bytes'];

/** Evaluates a binary operator. Throws CelError. */
export const binary = (op: string, a: CelValue, b: CelValue): CelValue => {
  if (op === '==') return isEqualData(a, b);
  if (op === '!=') return !isEqualData(a, b);
  if (op === 'in') return isIn(a, b);
  if (!(LEFT[op] ?? ORDERED).includes(typeOf(a)) && RECEIVERS.includes(typeOf(a))) throw noOverload();
  if (!(LEFT[op] ?? ORDERED).includes(typeOf(a))) throw new CelError(`no such overload: _${op}_`);
  const holds = COMPARISONS[op];
  if (!holds) return arithmetic(op as Arithmetic, a, b);
  const order = compare(a, b);
  return order !== undefined && holds(order);
};

/** Evaluates a unary `-` or `!`. Throws CelError. */
export const unary = (op: string, a: CelValue): CelValue => {
  if (op === '!_' && typeof a === 'boolean') return !a;
  if (op === '-_' && typeof a === 'bigint') return inRange(-a);
  if (op === '-_' && typeof a === 'number') return -a;
  throw noOverload();
};

const showKey = (key: CelValue): string => {
  if (typeof key === 'number') return printDouble(key);
  return String(key instanceof Uint ? key.value : key);
};

/** The index as an int, which a number of another type must equal. Throws CelError. */
const indexOf = (key: CelValue): bigint => {
  const number = numberOf(key);
  if (number === undefined) throw new CelError(`unsupported index type '${typeOf(key)}' in list`);
  const index = typeof number === 'number' && Number.isInteger(number) ? BigInt(number) : number;
  if (typeof index === 'number' || BigInt.asIntN(64, index) !== index) {
    throw new CelError(`unsupported index value ${showKey(key)} in list`);
  }
  return index;
};

/**
 * Throws CelError for an index that is not an integer. In a list from a schema, an item at an index of another type than
 * int is an error, which an optional value can hold.
 */
const itemAt = (list: readonly CelValue[], key: CelValue): CelValue | undefined => {
  const index = indexOf(key);
  const item = index < 0n ? undefined : list[Number(index)];
  if (item !== undefined && typeof key !== 'bigint' && isData(list)) {
    return new CelError(`unsupported index: ${showKey(key)}`);
  }
  return item;
};

const indexIn = (list: readonly CelValue[], key: CelValue): CelValue => {
  const item = itemAt(list, key);
  if (item === undefined) throw new CelError(`index out of bounds: ${indexOf(key)}`);
  return readable(item);
};

/** Returns a member of a map or an item of a list. Throws CelError if it does not exist. */
export const select = (value: CelValue, key: CelValue): CelValue => {
  if (isList(value)) return indexIn(value, key);
  if (!isMap(value)) throw new CelError(`no such key: ${showKey(key)}`);
  const member = memberOf(value, key);
  if (member === undefined) throw new CelError(`no such key: ${showKey(key)}`);
  return readable(member);
};

/** Like `select`, but returns undefined if the member does not exist. */
export const optionalSelect = (of: CelValue, key: CelValue): CelValue | undefined => {
  const value = readable(of);
  if (isMap(value)) return memberOf(value, key);
  return isList(value) ? itemAt(value, key) : undefined;
};

/** The entries that a map gets: one, or those of another map. Throws CelError if a key already exists. */
export const addedTo = (map: Members, key: CelValue, value: CelValue | undefined): Members => {
  const more: Members = value !== undefined ? new Map([[key, value]]) : isMap(key) ? key : new Map();
  for (const added of more.keys()) {
    if (entryOf(map, added) !== undefined) throw new CelError(`insert failed: key ${showKey(added)} already exists`);
  }
  return more;
};

/** Returns a map with one more entry, or with the entries of another map. Throws CelError if a key already exists. */
export const insert = (map: Members, key: CelValue, value: CelValue | undefined): Members =>
  new Entries([...map, ...addedTo(map, key, value)]);

/** Whether a map has a member. Throws CelError for a list, whose indexes are no strings. */
export const isPresent = (of: CelValue, field: string): boolean => {
  const value = of instanceof Optional ? of.value : of;
  if (value !== undefined && isList(value)) indexOf(field);
  return value !== undefined && isMap(value) && value.has(field);
};
