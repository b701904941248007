import { Buffer } from 'node:buffer';
import { entryOf } from './entries.ts';
import { identityOf, itemsByKey } from './list-identity.ts';
import {
  type CelValue,
  Duration,
  isList,
  isMap,
  isOpaque,
  numberOf,
  Optional,
  readable,
  Timestamp,
  TypeName,
} from './value.ts';

/** Order matters unless the left list has an identity. */
const areListsEqual = (a: readonly CelValue[], b: readonly CelValue[]): boolean => {
  if (a.length !== b.length) return false;
  const identity = identityOf(a);
  return identity
    ? areMapsEqual(itemsByKey(identity, a), itemsByKey(identity, b))
    : a.every((item, index) => isEqual(item, b[index] as CelValue));
};

const areMapsEqual = (a: ReadonlyMap<CelValue, CelValue>, b: ReadonlyMap<CelValue, CelValue>): boolean =>
  a.size === b.size &&
  [...a].every(([key, value]) => {
    const other = entryOf(b, key);
    return other !== undefined && isEqual(value, other);
  });

const areTimesEqual = (a: CelValue, b: CelValue): boolean | undefined => {
  const areTimes = a instanceof Timestamp && b instanceof Timestamp;
  return areTimes || (a instanceof Duration && b instanceof Duration) ? a.ns === b.ns : undefined;
};

const areScalarsEqual = (a: CelValue, b: CelValue): boolean => {
  if (a instanceof TypeName && b instanceof TypeName) return a.text === b.text;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0;
  if (a instanceof Optional && b instanceof Optional) return areOptionalsEqual(a, b);
  if (isOpaque(a) && isOpaque(b)) return a.celType === b.celType && a.equals(b);
  return areTimesEqual(a, b) ?? a === b;
};

/**
 * CEL's equality: numbers are compared across types, and values of different types are unequal without an error. Throws
 * CelError for a part that cannot be read.
 */
export const isEqual = (first: CelValue, second: CelValue): boolean => {
  const [a, b] = [readable(first), readable(second)];
  const [left, right] = [numberOf(a), numberOf(b)];
  // biome-ignore lint/suspicious/noDoubleEquals: only this compares a bigint with a number
  if (left !== undefined && right !== undefined) return left == right;
  if (isList(a) && isList(b)) return areListsEqual(a, b);
  if (isMap(a) && isMap(b)) return areMapsEqual(a, b);
  return areScalarsEqual(a, b);
};

const areOptionalsEqual = (a: Optional, b: Optional): boolean =>
  a.value === undefined || b.value === undefined ? a.value === b.value : isEqual(a.value, b.value);
