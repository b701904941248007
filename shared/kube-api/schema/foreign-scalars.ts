import { isIPv4, isIPv6 } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { RE2JS } from 're2js';
import { parseCidr } from '../../cidr.ts';
import { codePoints } from '../code-points.ts';
import { readWordedDuration } from '../duration-text.ts';
import { matchSteps, recentPattern } from '../recent-patterns.ts';
import type { Work } from '../work.ts';
import { isTime, type ScalarRules } from './validate-scalar.ts';

const HEX = '[0-9a-fA-F]';

const PATTERNS: Readonly<Record<string, RegExp>> = {
  mac: new RegExp(`^(?:${HEX}{2}[:-]){5}${HEX}{2}$`),
  uuid: new RegExp(`^${HEX}{8}-?${HEX}{4}-?${HEX}{4}-?${HEX}{4}-?${HEX}{12}$`),
  email: /^[^\s@]{1,64}@[^\s@]{1,255}$/,
  hostname:
    /^(?=.{1,253}\.?$)[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*\.?$/,
  byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
};

/** Upstream still accepts leading zeros in decimal numbers. */
const withoutZeros = (address: string): string => address.replace(/(?<![^.])0+(?=\d)/g, '');

const TESTS: Readonly<Record<string, (text: string) => boolean>> = {
  ipv4: (text) => isIPv4(withoutZeros(text)),
  ipv6: (text) => isIPv6(text) && !text.includes('%'),
  cidr: (text) => parseCidr(withoutZeros(text)) !== undefined,
  uri: (text) => text.startsWith('/') || URL.canParse(text),
  duration: (text) => readWordedDuration(text) !== undefined,
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isTime(`${text}T00:00:00Z`),
  'date-time': isTime,
  datetime: isTime,
};

const hasFormat = (format: string, text: string): boolean =>
  TESTS[format]?.(text) ?? PATTERNS[format]?.test(text) ?? true;

/** Counts the same text once, because each alternative of a schema asks for it. */
const makeLengthOf = (): ScalarRules['lengthOf'] => {
  let known = { text: '', length: 0 };
  return (text) => {
    if (text !== known.text) known = { text, length: codePoints(text) };
    return known.length;
  };
};

/** Compares the same two objects once. */
const makeIsEqual = (): ScalarRules['isEqual'] => {
  const known = new WeakMap<object, { old: unknown; isEqual: boolean }>();
  return (value, old) => {
    if (typeof value !== 'object' || value === null) return value === old;
    const last = known.get(value);
    if (last?.old === old) return last?.isEqual ?? false;
    const isEqual = isDeepStrictEqual(value, old);
    known.set(value, { old, isEqual });
    return isEqual;
  };
};

const STEPS_PER_VALUE = 100;
const STEPS_PER_MEMBER = 10;
const STEPS_PER_CHARACTER = 10;

/**
 * For schemas that users write. Patterns have RE2's syntax and match in linear time. Checks the formats of upstream's
 * library (k8s.io/kube-openapi/pkg/validation/strfmt) that cluster resources are likely to use. Its functions throw
 * CostError once the work exceeds its limit.
 */
export const foreignScalars = (work: Work): ScalarRules => ({
  matches: (pattern, text) => {
    work.do(matchSteps(pattern, text.length));
    return recentPattern(pattern).test(text);
  },
  hasFormat: (format, text) => {
    work.do(text.length * STEPS_PER_CHARACTER);
    return hasFormat(format, text);
  },
  lengthOf: makeLengthOf(),
  isEqual: makeIsEqual(),
  visit: (members) => work.do(STEPS_PER_VALUE + members * STEPS_PER_MEMBER),
});

/** Returns the error in a regular expression, or undefined if it is valid. */
export const faultOfPattern = (pattern: string): string | undefined => {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
};
