import { Buffer } from 'node:buffer';

/** An error of a CEL expression, with cel-go's message. `||`, `&&`, `all` and `exists` may recover from it. */
export class CelError extends Error {
  override readonly name = 'CelError';
}

/** The error for values that no overload of an operator or function accepts. */
export const noOverload = (): CelError => new CelError('no such overload');

/** Nanoseconds since 1970. */
export class Timestamp {
  readonly ns: bigint;
  /** Minutes east of UTC. The timestamp is printed in the zone that it was written in. */
  readonly offset: number;
  constructor(ns: bigint, offset = 0) {
    this.ns = ns;
    this.offset = offset;
  }
}

/** A span of time in nanoseconds. */
export class Duration {
  readonly ns: bigint;
  constructor(ns: bigint) {
    this.ns = ns;
  }
}

export class Uint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

/** `optional_type`: a value, or none. */
export class Optional {
  readonly value: CelValue | undefined;
  constructor(value?: CelValue) {
    this.value = value;
  }
}

/** The type of a value, as `type(x)` returns it. */
export class TypeName {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value of a type that Kubernetes adds: quantity, IP address, CIDR, URL, named format or semantic version. */
export interface Opaque {
  readonly celType: string;
  equals(other: Opaque): boolean;
}

/**
 * An int is a bigint and a double is a number. Objects and maps are Maps. A CelError stands for a part that cannot be
 * read: evaluation fails only if it needs that part.
 */
export type CelValue =
  | CelError
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Timestamp
  | Duration
  | Uint
  | Optional
  | TypeName
  | Opaque
  | readonly CelValue[]
  | ReadonlyMap<CelValue, CelValue>;

/** Returns the value, or throws it if it is an error. */
export const readable = (value: CelValue): Exclude<CelValue, CelError> => {
  if (value instanceof CelError) throw value;
  return value;
};

export const isList = (value: CelValue): value is readonly CelValue[] => Array.isArray(value);
export const isMap = (value: CelValue): value is ReadonlyMap<CelValue, CelValue> => value instanceof Map;
const data = new WeakSet<object>();

/** Marks a list or a map as a value of a schema. */
export const asData = <T extends readonly CelValue[] | ReadonlyMap<CelValue, CelValue>>(value: T): T => {
  data.add(value);
  return value;
};

export const isData = (value: CelValue): boolean => typeof value === 'object' && value !== null && data.has(value);

export const isOpaque = (value: CelValue): value is Opaque =>
  typeof value === 'object' && value !== null && 'celType' in value;

const CLASSES = [
  [Uint8Array, 'bytes'],
  [Timestamp, 'google.protobuf.Timestamp'],
  [Duration, 'google.protobuf.Duration'],
  [Uint, 'uint'],
  [Optional, 'optional_type'],
  [TypeName, 'type'],
  [Array, 'list'],
  [Map, 'map'],
] as const;

/** The name of the value's type, as `type()` returns it. */
export const typeOf = (value: CelValue): string => {
  if (value === null) return 'null_type';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'double';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (isOpaque(value)) return value.celType;
  return CLASSES.find(([type]) => value instanceof type)?.[1] ?? 'dyn';
};

/** Returns any numeric type in a form that compares with all others, or undefined if the value is not a number. */
export const numberOf = (value: CelValue): bigint | number | undefined => {
  if (value instanceof Uint) return value.value;
  return typeof value === 'bigint' || typeof value === 'number' ? value : undefined;
};

const order = (less: boolean, more: boolean): number => {
  if (less) return -1;
  return more ? 1 : 0;
};

/**
 * Negative, zero or positive; undefined for NaN, which has no order. Throws `no such overload` for types without an
 * order.
 */
export const compare = (a: CelValue, b: CelValue): number | undefined => {
  const [left, right] = [numberOf(a), numberOf(b)];
  if (left !== undefined && right !== undefined) {
    return Number.isNaN(left) || Number.isNaN(right) ? undefined : order(left < right, left > right);
  }
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  const isTime = a instanceof Timestamp && b instanceof Timestamp;
  if (isTime || (a instanceof Duration && b instanceof Duration)) return order(a.ns < b.ns, a.ns > b.ns);
  throw noOverload();
};
