import { CelError, type CelValue, Duration, isList, isMap, Optional, Uint } from '../value.ts';
import { type CelFunction, define } from './define.ts';

const isZero = (value: CelValue): boolean => {
  if (value === null || value === false || value === '' || value === 0 || value === 0n) return true;
  if (value instanceof Duration) return value.ns === 0n;
  if (value instanceof Uint) return value.value === 0n;
  if (isList(value) || value instanceof Uint8Array) return value.length === 0;
  return isMap(value) && value.size === 0;
};

const unwrap = (list: CelValue | undefined): CelValue | undefined =>
  list !== undefined && isList(list)
    ? list.flatMap((item) => (item instanceof Optional && item.value !== undefined ? [item.value] : []))
    : undefined;

/** The functions of optional values. */
export const optionalFunctions: readonly CelFunction[] = [
  define('optional.of', (_, value) => new Optional(value)),
  define('optional.none', () => new Optional()),
  define('optional.ofNonZeroValue', (_, value) =>
    value === undefined ? undefined : new Optional(isZero(value) ? undefined : value),
  ),
  define('optional.unwrap', (_, list) => unwrap(list)),
  define('.unwrapOpt', unwrap),
  define('.hasValue', (value) => (value instanceof Optional ? value.value !== undefined : undefined)),
  define('.value', (value) => {
    if (!(value instanceof Optional)) return undefined;
    if (value.value === undefined) throw new CelError('optional.none() dereference');
    return value.value;
  }),
  define('.or', (value, other) => {
    if (!(value instanceof Optional && other instanceof Optional)) return undefined;
    return value.value === undefined ? other : value;
  }),
  define('.orValue', (value, other) => (value instanceof Optional ? (value.value ?? other) : undefined)),
];
