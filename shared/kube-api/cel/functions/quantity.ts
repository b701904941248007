import { CelError, type CelValue, type Opaque } from '../value.ts';
import { type CelFunction, define } from './define.ts';

/** Kubernetes stores nothing smaller than 10^-9. */
const NANO = 9;

const MAX_INT = 2n ** 63n - 1n;

/**
 * A quantity as Kubernetes stores it: `value` times ten to the power of `scale`. With `isDecimal`, the quantity did not
 * fit into a 64-bit integer when it was parsed or computed, and never counts as an integer.
 */
class Quantity implements Opaque {
  readonly celType = 'kubernetes.Quantity';
  readonly value: bigint;
  readonly scale: number;
  readonly isDecimal: boolean;
  constructor(value: bigint, scale: number, isDecimal = false) {
    this.value = value;
    this.scale = scale;
    this.isDecimal = isDecimal;
  }
  /** The value in units of 10^`scale`. */
  in(scale: number): bigint {
    return this.value * 10n ** BigInt(this.scale - scale);
  }
  equals(other: Opaque): boolean {
    return other instanceof Quantity && compareTo(this, other) === 0n;
  }
}

const SYNTAX = /^([+-]?)(\d*)(?:\.(\d*))?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|n|u|[eE][+-]?\d+)?$/;
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const MISFIT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
/** Each sequence of digits matches in only one way, so matching takes linear time. */
const WELL_FORMED = /^[+-]?\d*(?:\.\d*)?(?:[eEinumkKMGTP]+[+-]?\d*|[+-]\d*)?(?<=.)$/;
const SUFFIX = "unable to parse quantity's suffix";

/** The most digits that always fit into a 64-bit integer, for decimal and for binary suffixes. */
const DIGITS = 18;
const BINARY_DIGITS = 15;

/** In units of 10^-9; smaller digits are rounded up, away from zero. */
const decimal = (value: bigint, scale: number): Quantity => {
  if (scale >= -NANO) return new Quantity(value * 10n ** BigInt(scale + NANO), -NANO, true);
  const by = 10n ** BigInt(-NANO - scale);
  return new Quantity((value + by - 1n) / by, -NANO, true);
};

const LARGEST = new Quantity(MAX_INT, 0, true);

/** Kubernetes limits only quantities with a binary suffix to an integer of 64 bits. */
const limited = (quantity: Quantity): Quantity => (compareTo(quantity, LARGEST) > 0n ? LARGEST : quantity);

/** Larger exponents count as this one, so that a quantity has a bounded size. */
const MAX_EXPONENT = 400;

const signed = ({ value, scale, isDecimal }: Quantity, sign: string): Quantity =>
  new Quantity(sign === '-' ? -value : value, scale, isDecimal);

const parseBinary = (whole: string, fraction: string, exponent: number): Quantity => {
  const factor = 1024n ** BigInt(exponent);
  const room = BINARY_DIGITS - whole.length - Math.trunc((exponent * 30) / 10) - 1;
  if (fraction === '' && room >= 0) return new Quantity(BigInt(whole || '0') * factor, 0);
  return limited(decimal(BigInt(`${whole}${fraction}` || '0') * factor, -fraction.length));
};

const parseDecimal = (whole: string, fraction: string, power: number): Quantity => {
  const digits = BigInt(`${whole}${fraction}` || '0');
  const scale = Math.max(-MAX_EXPONENT, Math.min(MAX_EXPONENT, power)) - fraction.length;
  const fits = whole.length + fraction.length <= DIGITS && scale >= -NANO;
  return fits ? new Quantity(digits, scale) : decimal(digits, scale);
};

/** Without a digit, Kubernetes reads 0, but only if a 64-bit integer can hold the unit. */
const withDigits = (quantity: Quantity, text: string): Quantity => {
  if (quantity.isDecimal && !/^[+-]?\.?\d/.test(text)) throw new CelError('unable to parse numeric part of quantity');
  return quantity;
};

/** Throws CelError if the string is not a quantity. */
const parse = (text: string): Quantity => {
  const [, sign, whole = '', fraction = '', suffix = ''] = SYNTAX.exec(text) ?? [];
  if (sign === undefined || text === '') {
    throw new CelError(WELL_FORMED.test(text) ? SUFFIX : MISFIT);
  }
  // Leading zeros do not count as digits.
  const plain = whole.replace(/^0+/, '');
  const binary = BINARY.indexOf(suffix) + 1;
  const quantity =
    binary > 0
      ? parseBinary(plain, fraction, binary)
      : parseDecimal(plain, fraction, DECIMAL[suffix] ?? Number(suffix.slice(1)));
  return signed(withDigits(quantity, text), sign);
};

const isQuantity = (text: string): boolean => {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (error instanceof CelError) return false;
    throw error;
  }
};

/** As in Kubernetes, a quantity with decimals is not an integer even if they are zeros. */
const integerOf = (quantity: Quantity): bigint | undefined => {
  if (quantity.isDecimal || quantity.scale < 0) return undefined;
  const value = quantity.in(0);
  return value <= MAX_INT && value >= -MAX_INT - 1n ? value : undefined;
};

const asInteger = (quantity: Quantity): bigint => {
  const value = integerOf(quantity);
  if (value === undefined) throw new CelError('cannot convert value to integer');
  return value;
};

const onOne = (run: (value: Quantity) => CelValue) => (value: CelValue) =>
  value instanceof Quantity ? run(value) : undefined;

const onTwo = (run: (order: bigint) => CelValue) => (a: CelValue, b?: CelValue) =>
  a instanceof Quantity && b instanceof Quantity ? run(compareTo(a, b)) : undefined;

const sum = (a: Quantity, b: Quantity): Quantity => {
  if (b.value === 0n) return a;
  if (a.value === 0n) return b;
  const scale = Math.min(a.scale, b.scale);
  const value = a.in(scale) + b.in(scale);
  const isDecimal = a.isDecimal || b.isDecimal || value > MAX_INT || value < -MAX_INT - 1n;
  return new Quantity(value, scale, isDecimal);
};

const plus = (sign: '+' | '-') => (a: CelValue, b?: CelValue) => {
  const other = typeof b === 'bigint' ? new Quantity(b, 0) : b;
  return a instanceof Quantity && other instanceof Quantity ? sum(a, signed(other, sign)) : undefined;
};

const compareTo = (a: Quantity, b: Quantity): bigint => {
  const scale = Math.min(a.scale, b.scale);
  const [left, right] = [a.in(scale), b.in(scale)];
  if (left === right) return 0n;
  return left < right ? -1n : 1n;
};

/** Kubernetes' quantity library (k8s.io/apiserver/pkg/cel/library/quantity.go). */
export const quantityFunctions: readonly CelFunction[] = [
  define('quantity', (text) => (typeof text === 'string' ? parse(text) : undefined)),
  define('isQuantity', (text) => (typeof text === 'string' ? isQuantity(text) : undefined)),
  define(
    '.sign',
    onOne((it) => compareTo(it, new Quantity(0n, 0))),
  ),
  define(
    '.isInteger',
    onOne((it) => integerOf(it) !== undefined),
  ),
  define('.asInteger', onOne(asInteger)),
  define(
    '.asApproximateFloat',
    onOne(({ value, scale }) => Number(value) * Number(`1e${scale}`)),
  ),
  define(
    '.isGreaterThan',
    onTwo((order) => order > 0n),
  ),
  define(
    '.isLessThan',
    onTwo((order) => order < 0n),
  ),
  define(
    '.compareTo',
    onTwo((order) => order),
  ),
  define('.add', plus('+')),
  define('.sub', plus('-')),
];
