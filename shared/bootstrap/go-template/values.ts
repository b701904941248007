import { Buffer } from 'node:buffer';
import { TemplateError } from './scan.ts';

/** What templates work with. Undefined: no such key. */
export type Value = string | number | boolean | undefined | { readonly [key: string]: Value };

/** Whether a value counts as true: what is empty does not. */
export const isTruth = (value: Value): boolean =>
  typeof value === 'object' ? Object.keys(value).length > 0 : Boolean(value);

/** A value as Go prints it. */
export const printed = (value: Value): string => {
  if (value === undefined) return '<no value>';
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, member]) => `${key}:${printed(member)}`).join(' ')}]`;
};

/** The member of a value that `.a.b` names. A key that is not there is no error, a member of a text is. */
export const memberOf = (value: Value, path: string): Value =>
  path
    .split('.')
    .filter((key) => key !== '')
    .reduce((at, key) => {
      if (at === undefined) return undefined;
      if (typeof at !== 'object') throw new TemplateError('uses a field of something that is not a map');
      return Object.hasOwn(at, key) ? at[key] : undefined;
    }, value);

const isEqual = (a: Value, b: Value): boolean => {
  if (typeof a === 'object' || typeof b === 'object') throw new TemplateError('compares a map');
  if (a !== undefined && b !== undefined && typeof a !== typeof b) {
    throw new TemplateError('compares values of different types');
  }
  return a === b;
};

const isLess = (a: Value, b: Value): boolean => {
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  if (typeof a !== 'string' || typeof b !== 'string') throw new TemplateError('orders what has no order');
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
};

const format = (template: Value, values: readonly Value[]): string => {
  if (typeof template !== 'string') throw new TemplateError('calls printf without a format');
  const verbs = template.match(/%./g) ?? [];
  const used = verbs.filter((verb) => verb !== '%%');
  if (
    !verbs.every((verb) => /^%[sv%]$/.test(verb)) ||
    used.length !== values.length ||
    /%$/.test(template.replaceAll('%%', ''))
  ) {
    throw new TemplateError('calls printf with a format that is not supported here; use one %s or %v for each value');
  }
  const left = [...values];
  return template.replace(/%./g, (verb) => {
    if (verb === '%%') return '%';
    const value = left.shift();
    if (verb === '%s' && typeof value !== 'string')
      throw new TemplateError('prints a value that is not text with %s; use %v');
    return printed(value);
  });
};

const lengthOf = (value: Value): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'object') return Object.keys(value).length;
  throw new TemplateError('uses the length of something that has none');
};

interface Builtin {
  /** How many arguments it takes, at least and at most. */
  takes: readonly [number, number];
  /** Absent for `and` and `or`, which look at no more arguments than they need. */
  run?(...values: Value[]): Value;
}

const MANY = Number.POSITIVE_INFINITY;

/** Go's predefined functions that are served here. */
export const BUILTINS: Readonly<Record<string, Builtin>> = {
  and: { takes: [1, MANY] },
  or: { takes: [1, MANY] },
  not: { takes: [1, 1], run: (a) => !isTruth(a) },
  eq: { takes: [2, MANY], run: (a, ...others) => others.some((b) => isEqual(a, b)) },
  ne: { takes: [2, 2], run: (a, b) => !isEqual(a, b) },
  lt: { takes: [2, 2], run: isLess },
  le: { takes: [2, 2], run: (a, b) => !isLess(b, a) },
  gt: { takes: [2, 2], run: (a, b) => isLess(b, a) },
  ge: { takes: [2, 2], run: (a, b) => !isLess(a, b) },
  len: { takes: [1, 1], run: lengthOf },
  printf: { takes: [1, MANY], run: (template, ...values) => format(template, values) },
};
