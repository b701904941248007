import { CelError, type CelValue, type Opaque } from '../value.ts';
import { type CelFunction, define } from './define.ts';

/** Quantities are counted in nano units, the smallest that Kubernetes keeps. */
const NANO = 1_000_000_000n;

class Quantity implements Opaque {
  readonly celType = 'kubernetes.Quantity';
  readonly nano: bigint;
  constructor(nano: bigint) {
    this.nano = nano;
  }
  equals(other: Opaque): boolean {
    return other instanceof Quantity && other.nano === this.nano;
  }
}

const SYNTAX = /^([+-]?)(\d+\.?\d*|\.\d+)(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|n|u|[eE][+-]?\d+)?$/;
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const MISFIT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** What is below a nano unit is rounded up, away from zero, as Kubernetes does. */
const divideUp = (value: bigint, by: bigint): bigint => (value + by - 1n) / by;

const parse = (text: string): Quantity | undefined => {
  const [, sign, number = '', suffix = ''] = SYNTAX.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const [whole = '', fraction = ''] = number.split('.');
  const digits = BigInt(`${whole}${fraction}` || '0');
  const binary = BINARY.indexOf(suffix);
  const power = binary >= 0 ? 0 : (DECIMAL[suffix] ?? Number(suffix.slice(1)));
  if (Math.abs(power) > 40) return undefined;
  const exponent = power + 9 - fraction.length;
  const scaled = (binary >= 0 ? 1024n ** BigInt(binary + 1) : 1n) * digits;
  const nano = exponent >= 0 ? scaled * 10n ** BigInt(exponent) : divideUp(scaled, 10n ** BigInt(-exponent));
  return new Quantity(sign === '-' ? -nano : nano);
};

const quantity = (text: CelValue): CelValue | undefined => {
  if (typeof text !== 'string') return undefined;
  const parsed = parse(text);
  if (!parsed) throw new CelError(MISFIT);
  return parsed;
};

const MAX_INT = 2n ** 63n - 1n;
const isInteger = ({ nano }: Quantity): boolean =>
  nano % NANO === 0n && nano / NANO <= MAX_INT && nano / NANO >= -MAX_INT;

const asInteger = (value: Quantity): bigint => {
  if (!isInteger(value)) throw new CelError('cannot convert value to integer');
  return value.nano / NANO;
};

const onOne = (run: (value: Quantity) => CelValue) => (value: CelValue) =>
  value instanceof Quantity ? run(value) : undefined;

const onTwo = (run: (a: bigint, b: bigint) => CelValue) => (a: CelValue, b?: CelValue) =>
  a instanceof Quantity && b instanceof Quantity ? run(a.nano, b.nano) : undefined;

const plus = (sign: bigint) => (a: CelValue, b?: CelValue) => {
  const other = typeof b === 'bigint' ? b * NANO : b instanceof Quantity ? b.nano : undefined;
  return a instanceof Quantity && other !== undefined ? new Quantity(a.nano + sign * other) : undefined;
};

const compareTo = (a: bigint, b: bigint): bigint => {
  if (a === b) return 0n;
  return a < b ? -1n : 1n;
};

const TYPE = 'kubernetes.Quantity';

/** Kubernetes' quantity library (k8s.io/apiserver/pkg/cel/library/quantity.go). */
export const quantityFunctions: readonly CelFunction[] = [
  define('quantity', [`quantity(string): ${TYPE}`], quantity),
  define('isQuantity', ['isQuantity(string): bool'], (text) =>
    typeof text === 'string' ? parse(text) !== undefined : undefined,
  ),
  define(
    '.sign',
    [`${TYPE}.sign(): int`],
    onOne(({ nano }) => compareTo(nano, 0n)),
  ),
  define('.isInteger', [`${TYPE}.isInteger(): bool`], onOne(isInteger)),
  define('.asInteger', [`${TYPE}.asInteger(): int`], onOne(asInteger)),
  define(
    '.asApproximateFloat',
    [`${TYPE}.asApproximateFloat(): double`],
    onOne(({ nano }) => Number(nano) / 1e9),
  ),
  define(
    '.isGreaterThan',
    [`${TYPE}.isGreaterThan(${TYPE}): bool`],
    onTwo((a, b) => a > b),
  ),
  define(
    '.isLessThan',
    [`${TYPE}.isLessThan(${TYPE}): bool`],
    onTwo((a, b) => a < b),
  ),
  define('.compareTo', [`${TYPE}.compareTo(${TYPE}): int`], onTwo(compareTo)),
  define('.add', [`${TYPE}.add(${TYPE}): ${TYPE}`, `${TYPE}.add(int): ${TYPE}`], plus(1n)),
  define('.sub', [`${TYPE}.sub(${TYPE}): ${TYPE}`, `${TYPE}.sub(int): ${TYPE}`], plus(-1n)),
];
