import type { Functions } from '../functions.ts';
import { TemplateError } from '../scan.ts';
import { isValueMap, isValues, sortedKeys, type Value } from '../values.ts';
import { floatOf, intOf, isEmpty, kindOf, needList, needMap, needText, textOf, wrapped } from './convert.ts';

const MANY = Number.POSITIVE_INFINITY;

const isSame = (a: Value, b: Value): boolean => {
  if (isValues(a) && isValues(b)) return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (!isValueMap(a) || !isValueMap(b)) return (a ?? null) === (b ?? null);
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
};

const dict = (values: readonly Value[]): Value => {
  const entries: [string, Value][] = [];
  for (let at = 0; at < values.length; at += 2) entries.push([textOf(values[at]), values[at + 1] ?? '']);
  return Object.fromEntries(entries);
};

/** JSON with keys in Go's order, and with integers in full. */
const toJson = (value: Value): string => {
  if (typeof value === 'bigint') return String(value);
  if (isValues(value)) return `[${value.map(toJson).join(',')}]`;
  if (!isValueMap(value)) return JSON.stringify(value ?? null);
  return `{${sortedKeys(value)
    .map((key) => `${JSON.stringify(key)}:${toJson(value[key])}`)
    .join(',')}}`;
};

const divided = (name: string, a: Value, b: Value): Value => {
  if (intOf(b) === 0n) throw new TemplateError(`calls ${name} with 0`);
  return name === 'div' ? intOf(a) / intOf(b) : intOf(a) % intOf(b);
};

const extreme = (values: readonly Value[], isBetter: (a: bigint, b: bigint) => boolean): Value =>
  values.map(intOf).reduce((best, it) => (isBetter(it, best) ? it : best));

const numbers = (values: readonly Value[], run: (a: bigint, b: bigint) => bigint): Value =>
  values.map(intOf).reduce((a, b) => wrapped(run(a, b)));

const MOST_NUMBERS = 10_000n;

const until = (count: Value): Value => {
  const most = intOf(count);
  if (most > MOST_NUMBERS) throw new TemplateError('calls until for too many numbers');
  return Array.from({ length: Math.max(Number(most), 0) }, (_, index) => BigInt(index));
};

const unique = (list: readonly Value[]): Value[] =>
  list.filter((item, index) => list.findIndex((other) => isSame(item, other)) === index);

/** Unlike Go's `slice`, accepts only lists, and returns nothing for an empty one. */
const slice = (value: Value, start: Value = 0n, end?: Value): Value => {
  const list = needList('slice', value);
  if (list.length === 0) return null;
  const [from, to] = [intOf(start), end === undefined ? BigInt(list.length) : intOf(end)];
  if (from < 0n || from > to || to > BigInt(list.length)) {
    throw new TemplateError('calls slice with an index that is out of range');
  }
  return list.slice(Number(from), Number(to));
};

/** The supported functions of sprig for numbers, lists, maps and conditions. */
export const DATA_FUNCTIONS: Functions = {
  default: { takes: [1, 2], run: (fallback, value) => (isEmpty(value) ? fallback : value) },
  empty: { takes: [1, 1], run: isEmpty },
  coalesce: { takes: [0, MANY], run: (...values) => values.find((value) => !isEmpty(value)) ?? null },
  all: { takes: [0, MANY], run: (...values) => !values.some(isEmpty) },
  any: { takes: [0, MANY], run: (...values) => values.some((value) => !isEmpty(value)) },
  slice: { takes: [1, 3], run: slice },
  ternary: { takes: [3, 3], run: (yes, no, test) => (test === true ? yes : no) },
  fail: {
    takes: [1, 1],
    run: () => {
      throw new TemplateError('calls fail');
    },
  },
  int: { takes: [1, 1], run: intOf },
  int64: { takes: [1, 1], run: intOf },
  atoi: { takes: [1, 1], run: intOf },
  float64: { takes: [1, 1], run: floatOf },
  add: { takes: [0, MANY], run: (...values) => wrapped(values.map(intOf).reduce((a, b) => a + b, 0n)) },
  add1: { takes: [1, 1], run: (value) => wrapped(intOf(value) + 1n) },
  sub: { takes: [2, 2], run: (a, b) => wrapped(intOf(a) - intOf(b)) },
  mul: { takes: [1, MANY], run: (...values) => numbers(values, (a, b) => a * b) },
  div: { takes: [2, 2], run: (a, b) => divided('div', a, b) },
  mod: { takes: [2, 2], run: (a, b) => divided('mod', a, b) },
  max: { takes: [1, MANY], run: (...values) => extreme(values, (a, b) => a > b) },
  min: { takes: [1, MANY], run: (...values) => extreme(values, (a, b) => a < b) },
  until: { takes: [1, 1], run: until },
  list: { takes: [0, MANY], run: (...values) => values },
  first: { takes: [1, 1], run: (list) => needList('first', list)[0] ?? null },
  last: { takes: [1, 1], run: (list) => needList('last', list).at(-1) ?? null },
  rest: { takes: [1, 1], run: (list) => needList('rest', list).slice(1) },
  initial: { takes: [1, 1], run: (list) => needList('initial', list).slice(0, -1) },
  append: { takes: [2, 2], run: (list, item) => [...needList('append', list), item] },
  prepend: { takes: [2, 2], run: (list, item) => [item, ...needList('prepend', list)] },
  concat: { takes: [0, MANY], run: (...lists) => lists.flatMap((list) => needList('concat', list)) },
  reverse: { takes: [1, 1], run: (list) => [...needList('reverse', list)].reverse() },
  uniq: {
    takes: [1, 1],
    run: (list) => unique(needList('uniq', list)),
    work: ([list], sizeOf) => needList('uniq', list).length * sizeOf(list),
  },
  without: {
    takes: [1, MANY],
    run: (list, ...items) => needList('without', list).filter((it) => !items.some((item) => isSame(it, item))),
    work: ([list, ...items], sizeOf) => items.length * sizeOf(list),
  },
  has: { takes: [2, 2], run: (item, list) => needList('has', list).some((it) => isSame(it, item)) },
  sortAlpha: {
    takes: [1, 1],
    run: (list) =>
      needList('sortAlpha', list)
        .map(textOf)
        .sort((a, b) => (a < b ? -1 : 1)),
  },
  dict: { takes: [0, MANY], run: (...values) => dict(values) },
  get: {
    takes: [2, 2],
    run: (map, key) => {
      const name = needText('get', key);
      const known = needMap('get', map);
      return Object.hasOwn(known, name) ? known[name] : '';
    },
  },
  hasKey: { takes: [2, 2], run: (map, key) => Object.hasOwn(needMap('hasKey', map), needText('hasKey', key)) },
  keys: { takes: [1, MANY], run: (...maps) => maps.flatMap((map) => sortedKeys(needMap('keys', map))) },
  values: {
    takes: [1, 1],
    run: (map) => {
      const known = needMap('values', map);
      return sortedKeys(known).map((key) => known[key]);
    },
  },
  kindOf: { takes: [1, 1], run: kindOf },
  kindIs: { takes: [2, 2], run: (kind, value) => kind === kindOf(value) },
  toJson: { takes: [1, 1], run: toJson },
  toRawJson: { takes: [1, 1], run: toJson },
  deepEqual: { takes: [2, 2], run: isSame },
};
