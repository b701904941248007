import { CelError, type CelValue, type Opaque } from '../value.ts';
import { type CelFunction, define } from './define.ts';
import { readVersion } from './semver-text.ts';

class Semver implements Opaque {
  readonly celType = 'kubernetes.Semver';
  readonly numbers: readonly bigint[];
  readonly pre: readonly string[];
  constructor(numbers: readonly bigint[], pre: readonly string[]) {
    this.numbers = numbers;
    this.pre = pre;
  }
  equals(other: Opaque): boolean {
    return other instanceof Semver && order(this, other) === 0;
  }
}

const orderOf = (a: bigint | string, b: bigint | string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/** A number sorts before a word, and a missing identifier before any other. */
const orderOfIdentifiers = (a: string | undefined, b: string | undefined): number => {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  const [isNumber, isOther] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber !== isOther) return isNumber ? -1 : 1;
  return isNumber ? orderOf(BigInt(a), BigInt(b)) : orderOf(a, b);
};

const order = (a: Semver, b: Semver): number => {
  const release = a.numbers.map((number, index) => orderOf(number, b.numbers[index] ?? 0n)).find((it) => it !== 0);
  if (release !== undefined) return release;
  if (a.pre.length === 0 || b.pre.length === 0) return Number(a.pre.length === 0) - Number(b.pre.length === 0);
  const length = Math.max(a.pre.length, b.pre.length);
  return Array.from({ length }, (_, at) => orderOfIdentifiers(a.pre[at], b.pre[at])).find((it) => it !== 0) ?? 0;
};

const isVersion = (text: string, normalizes: boolean): boolean => {
  try {
    readVersion(text, normalizes);
    return true;
  } catch (error) {
    if (error instanceof CelError) return false;
    throw error;
  }
};

const part = (index: number) => (version: CelValue) =>
  version instanceof Semver ? BigInt.asIntN(64, version.numbers[index] ?? 0n) : undefined;

const compared = (run: (order: number) => CelValue) => (a: CelValue, b?: CelValue) =>
  a instanceof Semver && b instanceof Semver ? run(order(a, b)) : undefined;

/** Kubernetes' library of semantic versions (k8s.io/apiserver/pkg/cel/library/semverlib.go). */
export const semverFunctions: readonly CelFunction[] = [
  define('semver', (text, normalize) => {
    if (typeof text !== 'string') return undefined;
    const { numbers, pre } = readVersion(text, normalize === true);
    return new Semver(numbers, pre);
  }),
  define('isSemver', (text, normalize) => (typeof text === 'string' ? isVersion(text, normalize === true) : undefined)),
  define('.major', part(0)),
  define('.minor', part(1)),
  define('.patch', part(2)),
  define(
    '.isGreaterThan',
    compared((it) => it > 0),
  ),
  define(
    '.isLessThan',
    compared((it) => it < 0),
  ),
  define(
    '.compareTo',
    compared((it) => BigInt(it)),
  ),
];
