import { Buffer } from 'node:buffer';
import {
  CelError,
  type CelValue,
  Duration,
  isList,
  isMap,
  isOpaque,
  Timestamp,
  TypeName,
  typeOf,
  Uint,
} from '../value.ts';
import { type CelFunction, define } from './define.ts';
import { parseDouble } from './parse-double.ts';
import { printDouble, printDuration, printTimestamp, textOfBytes } from './print.ts';
import { parseDuration, parseTimestamp, timestampInRange } from './time.ts';

const sizeOf = (value: CelValue): CelValue | undefined => {
  if (typeof value === 'string') return BigInt([...value].length);
  if (value instanceof Uint8Array || isList(value)) return BigInt(value.length);
  return isMap(value) ? BigInt(value.size) : undefined;
};

const failed = (value: CelValue, to: string): CelError =>
  new CelError(`type conversion error from '${typeOf(value)}' to '${to}'`);

const MAX_INT = 2n ** 63n - 1n;
const MIN_INT = -(2n ** 63n);
const MAX_UINT = 2n ** 64n - 1n;

/** Returns an integer that fits into 64 bits, or throws cel-go's error. */
export const inRange = (value: bigint): bigint => {
  if (value > MAX_INT || value < MIN_INT) throw new CelError('integer overflow');
  return value;
};

export const uintInRange = (value: bigint): Uint => {
  if (value < 0n || value > MAX_UINT) throw new CelError('unsigned integer overflow');
  return new Uint(value);
};

const fail = (value: CelValue, to: string): never => {
  throw failed(value, to);
};

const modulo = (value: bigint, by: bigint): bigint => ((value % by) + by) % by;

const toInt = (value: CelValue): CelValue | undefined => {
  if (typeof value === 'bigint') return value;
  if (value instanceof Uint) return inRange(value.value);
  if (value instanceof Timestamp) return (value.ns - modulo(value.ns, 1_000_000_000n)) / 1_000_000_000n;
  if (value instanceof Duration) return value.ns;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new CelError('integer overflow');
    return inRange(BigInt(Math.trunc(value)));
  }
  if (typeof value !== 'string') return undefined;
  if (!/^[+-]?\d+$/.test(value)) throw failed(value, 'int');
  const number = BigInt(value.replace('+', ''));
  if (number > MAX_INT || number < MIN_INT) throw failed(value, 'int');
  return number;
};

const toUint = (value: CelValue): CelValue | undefined => {
  if (value instanceof Uint) return value;
  if (typeof value === 'bigint') return uintInRange(value);
  if (typeof value === 'number') return Number.isFinite(value) ? uintInRange(BigInt(Math.trunc(value))) : undefined;
  if (typeof value !== 'string') return undefined;
  if (!/^\d+$/.test(value)) throw failed(value, 'uint');
  if (BigInt(value) > MAX_UINT) throw failed(value, 'uint');
  return new Uint(BigInt(value));
};

const toDouble = (value: CelValue): CelValue | undefined => {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint) return Number(value.value);
  if (typeof value !== 'string') return undefined;
  return parseDouble(value) ?? fail(value, 'double');
};

const toText = (value: CelValue): CelValue | undefined => {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return printDouble(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return textOfBytes(value);
  if (value instanceof Timestamp) return printTimestamp(value);
  if (value instanceof Duration) return printDuration(value);
  return value !== null && isOpaque(value) && 'text' in value ? String(value.text) : undefined;
};

const TRUE = ['1', 't', 'T', 'true', 'TRUE', 'True'];
const FALSE = ['0', 'f', 'F', 'false', 'FALSE', 'False'];

const toBool = (value: CelValue): CelValue | undefined => {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  if (!TRUE.includes(value) && !FALSE.includes(value)) throw failed(value, 'bool');
  return TRUE.includes(value);
};

const toBytes = (value: CelValue): CelValue | undefined => {
  if (value instanceof Uint8Array) return value;
  return typeof value === 'string' ? Buffer.from(value) : undefined;
};

const toDuration = (value: CelValue): CelValue | undefined => {
  if (value instanceof Duration) return value;
  if (typeof value === 'bigint') return new Duration(value * 1_000_000_000n);
  return typeof value === 'string' ? parseDuration(value) : undefined;
};

const toTimestamp = (value: CelValue): CelValue | undefined => {
  if (value instanceof Timestamp) return value;
  if (typeof value === 'bigint') return timestampInRange(value * 1_000_000_000n);
  return typeof value === 'string' ? parseTimestamp(value) : undefined;
};

/**
 * `size`, `type`, `dyn` and the conversions of standard CEL. Kubernetes' libraries add overloads for their own types.
 */
export const coreFunctions: readonly CelFunction[] = [
  define('size', sizeOf),
  define('.size', sizeOf),
  define('type', (value) => new TypeName(typeOf(value))),
  define('dyn', (value) => value),
  define('int', toInt),
  define('uint', toUint),
  define('double', toDouble),
  define('string', toText),
  define('bool', toBool),
  define('bytes', toBytes),
  define('duration', toDuration),
  define('timestamp', toTimestamp),
];
