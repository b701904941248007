import type { Functions } from '../functions.ts';
import { TemplateError } from '../scan.ts';
import { needText } from './convert.ts';

/** The major, minor and patch number, and the pre-release identifiers. */
interface Version {
  numbers: readonly number[];
  pre: readonly string[];
}

const VERSION = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;
const CONSTRAINT =
  /^\s*(=|==|!=|>=|=>|<=|=<|>|<|~|~>|\^)?\s*v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?\s*$/;

const parse = (text: string): Version => {
  const [, major, minor = '0', patch = '0', pre] = VERSION.exec(text) ?? [];
  if (major === undefined) throw new TemplateError('calls semverCompare with something that is not a version');
  return { numbers: [Number(major), Number(minor), Number(patch)], pre: pre === undefined ? [] : pre.split('.') };
};

const orderOfIdentifiers = (a: string | undefined, b: string | undefined): number => {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
  const [isNumber, isOther] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOther) return Number(a) - Number(b);
  if (isNumber !== isOther) return isNumber ? -1 : 1;
  return a < b ? -1 : 1;
};

const order = (a: Version, b: Version): number => {
  for (const [index, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return Number(a.pre.length === 0) - Number(b.pre.length === 0);
  const length = Math.max(a.pre.length, b.pre.length);
  return Array.from({ length }, (_, at) => orderOfIdentifiers(a.pre[at], b.pre[at])).find((it) => it !== 0) ?? 0;
};

/** The exclusive upper bound of a range that fixes this many numbers. */
const above = ({ numbers }: Version, fixed: number): Version => ({
  numbers: numbers.map((number, index) => (index < fixed - 1 ? number : index === fixed - 1 ? number + 1 : 0)),
  pre: [],
});

const within = (version: Version, from: Version, fixed: number): boolean =>
  fixed === 0 || (order(version, from) >= 0 && order(version, above(from, fixed)) < 0);

/** `^0.2.3` fixes everything up to the first number that is not zero. */
const caretFixed = ({ numbers }: Version, given: number): number => {
  const first = numbers.findIndex((number) => number > 0);
  return first < 0 ? given : Math.min(first + 1, given);
};

const holds = (constraint: string, version: Version): boolean => {
  const found = CONSTRAINT.exec(constraint);
  if (!found) throw new TemplateError('calls semverCompare with a constraint that is not supported here');
  const [, sign = '=', ...parts] = found;
  const numbers = parts.slice(0, 3);
  const given = numbers.findIndex((part) => part === undefined || /[xX*]/.test(part));
  const fixed = given < 0 ? 3 : given;
  const pre = parts[3];
  const from: Version = {
    numbers: numbers.map((part, index) => (index < fixed ? Number(part) : 0)),
    pre: pre === undefined ? [] : pre.split('.'),
  };
  // A pre-release matches only constraints that name a pre-release themselves.
  if (version.pre.length > 0 && from.pre.length === 0) return sign === '!=';
  return compare(sign, version, from, fixed);
};

const compare = (sign: string, version: Version, from: Version, fixed: number): boolean => {
  switch (sign) {
    case '!=':
      return fixed < 3 ? !within(version, from, fixed) : order(version, from) !== 0;
    case '>':
      return fixed < 3 ? order(version, above(from, fixed)) >= 0 : order(version, from) > 0;
    case '<':
      return order(version, from) < 0;
    case '>=':
    case '=>':
      return order(version, from) >= 0;
    case '<=':
    case '=<':
      return fixed < 3 ? order(version, above(from, fixed)) < 0 : order(version, from) <= 0;
    case '~':
    case '~>':
      return within(version, from, Math.min(fixed, 2));
    case '^':
      return within(version, from, caretFixed(from, fixed));
    default:
      return fixed < 3 ? within(version, from, fixed) : order(version, from) === 0;
  }
};

/** In `>= 1.24, < 1.30 || 1.32.x`, commas and spaces mean "and". */
const semverCompare = (constraints: string, text: string): boolean => {
  const version = parse(text);
  return constraints.split('||').some((all) =>
    all
      .replace(/([=<>~^!])\s+/g, '$1')
      .split(/[\s,]+/)
      .filter((it) => it !== '')
      .every((constraint) => holds(constraint, version)),
  );
};

/** sprig's version comparison (github.com/Masterminds/semver/v3) without hyphen ranges. */
export const SEMVER_FUNCTIONS: Functions = {
  semverCompare: {
    takes: [2, 2],
    run: (constraint, version) =>
      semverCompare(needText('semverCompare', constraint), needText('semverCompare', version)),
  },
};
