import { CelError, type Duration, type Timestamp } from '../value.ts';

/** Throws CelError for bytes that are not UTF-8. */
export const textOfBytes = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
};

/** Prints a double as Go's strconv does with `%g` and the fewest digits: `1e+06`, `2.5`, `4`. */
export const printDouble = (value: number): string => {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return Object.is(value, -0) ? '-0' : String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
};

/** Splits a double so that its value is `mantissa` times two to the power of `exponent`. */
const partsOf = (value: number): { mantissa: bigint; exponent: number } => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | 0x10000000000000n, exponent: biased - 1075 };
};

/** Divides and rounds to the nearest integer, and a half to the nearest even one. */
const divideToEven = (value: bigint, by: bigint): bigint => {
  const [quotient, rest] = [value / by, (value % by) * 2n];
  return rest > by || (rest === by && quotient % 2n === 1n) ? quotient + 1n : quotient;
};

/** Prints a finite double with a fixed number of decimals, rounded from its exact value as in Go. */
export const printFixed = (value: number, digits: number): string => {
  const { mantissa, exponent } = partsOf(value);
  const scaled = mantissa * 10n ** BigInt(digits);
  const whole = exponent >= 0 ? scaled << BigInt(exponent) : divideToEven(scaled, 1n << BigInt(-exponent));
  const text = String(whole).padStart(digits + 1, '0');
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const point = text.length - digits;
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, point)}.${text.slice(point)}`;
};

const seconds = (ns: bigint): string => {
  const fraction = String(ns % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${ns / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}`;
};

/** Prints a duration in seconds: `5400s`, `0.25s`. */
export const printDuration = ({ ns }: Duration): string => `${ns < 0n ? '-' : ''}${seconds(ns < 0n ? -ns : ns)}s`;

const zoneOf = (offset: number): string => {
  if (offset === 0) return 'Z';
  const minutes = Math.abs(offset);
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${offset < 0 ? '-' : '+'}${hour}:${minute}`;
};

/**
 * Prints a timestamp in RFC 3339 format, in the zone that it was written in, without trailing zeros in the fraction.
 */
export const printTimestamp = ({ ns: utc, offset }: Timestamp): string => {
  const ns = utc + BigInt(offset) * 60_000_000_000n;
  const second = ns >= 0n ? ns / 1_000_000_000n : -((-ns + 999_999_999n) / 1_000_000_000n);
  const fraction = String(ns - second * 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const text = new Date(Number(second) * 1000).toISOString().slice(0, 19);
  return `${text}${fraction === '' ? '' : `.${fraction}`}${zoneOf(offset)}`;
};
