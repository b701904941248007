import { isEqual } from '../equality.ts';
import { CelError, type CelValue, compare, Duration, isList, numberOf, Optional, Uint } from '../value.ts';
import { inRange, uintInRange } from './core.ts';
import { type CelFunction, define } from './define.ts';
import { indexOfText, lastIndexOfText } from './strings.ts';

type List = readonly CelValue[];

const onList =
  (run: (list: List, ...rest: CelValue[]) => CelValue | undefined) =>
  (list: CelValue, ...rest: CelValue[]) =>
    isList(list) ? run(list, ...rest) : undefined;

const isSorted = (list: List): boolean =>
  list.every((item, index) => index === 0 || (compare(list[index - 1] as CelValue, item) ?? 0) <= 0);

const sum = (list: List): CelValue | undefined => {
  if (list.length === 0) return 0n;
  if (list.every((item) => typeof item === 'bigint')) return inRange(list.reduce((a, b) => a + b, 0n));
  if (list.every((item) => item instanceof Duration))
    return new Duration(list.reduce((total, { ns }) => total + ns, 0n));
  if (list.every((item) => item instanceof Uint))
    return uintInRange(list.reduce((total, { value }) => total + value, 0n));
  if (list.every((item) => typeof item === 'number')) return list.reduce((a, b) => a + b, 0);
  return undefined;
};

const extreme =
  (name: string, sign: 1 | -1) =>
  (list: List): CelValue => {
    if (list.length === 0) throw new CelError(`${name} called on empty list`);
    return list.reduce((best, item) => ((compare(item, best) ?? 0) * sign > 0 ? item : best));
  };

const slice = (list: List, start?: CelValue, end?: CelValue): CelValue | undefined => {
  if (typeof start !== 'bigint' || typeof end !== 'bigint') return undefined;
  if (start < 0n || end < 0n) throw new CelError(`cannot slice(${start}, ${end}), negative indexes not supported`);
  if (start > end)
    throw new CelError(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  if (end > BigInt(list.length)) throw new CelError(`cannot slice(${start}, ${end}), list is length ${list.length}`);
  return list.slice(Number(start), Number(end));
};

const flatten = (list: List, depth: bigint): List =>
  list.flatMap((item) => (isList(item) && depth > 0n ? flatten(item, depth - 1n) : [item]));

const distinct = (list: List): List =>
  list.filter((item, index) => list.findIndex((other) => isEqual(other, item)) === index);

const sort = (list: List): List => [...list].sort((a, b) => compare(a, b) ?? 0);

const sortBy = (list: List, keys: List): List =>
  [...list.keys()]
    .sort((a, b) => compare(keys[a] as CelValue, keys[b] as CelValue) ?? 0)
    .map((index) => list[index] as CelValue);

const MAX_RANGE = 100_000n;

const range = (_: CelValue, count?: CelValue): CelValue | undefined => {
  if (typeof count !== 'bigint') return undefined;
  if (count < 0n) throw new CelError(`lists.range: size must be non-negative, got ${count}`);
  if (count > MAX_RANGE) throw new CelError(`lists.range(${count}) is too long`);
  return Array.from({ length: Number(count) }, (__, index) => BigInt(index));
};

const contains = (list: List, items: List): boolean =>
  items.every((item) => list.some((other) => isEqual(other, item)));

const onSets = (run: (a: List, b: List) => boolean) => (_: CelValue, a?: CelValue, b?: CelValue) =>
  a !== undefined && b !== undefined && isList(a) && isList(b) ? run(a, b) : undefined;

/** Kubernetes' list library, and cel-go's list (version 3) and set libraries. */
export const listFunctions: readonly CelFunction[] = [
  define('.isSorted', onList(isSorted)),
  define('.sum', onList(sum)),
  define('.min', onList(extreme('min', -1))),
  define('.max', onList(extreme('max', 1))),
  define('.indexOf', (list, ...rest) =>
    isList(list) ? BigInt(list.findIndex((item) => isEqual(item, rest[0] as CelValue))) : indexOfText(list, ...rest),
  ),
  define('.lastIndexOf', (list, ...rest) =>
    isList(list)
      ? BigInt(list.findLastIndex((item) => isEqual(item, rest[0] as CelValue)))
      : lastIndexOfText(list, ...rest),
  ),
  define(
    '.first',
    onList((list) => new Optional(list[0])),
  ),
  define(
    '.last',
    onList((list) => new Optional(list.at(-1))),
  ),
  define('.@sortByAssociatedKeys', (list, keys) =>
    isList(list) && keys !== undefined && isList(keys) ? sortBy(list, keys) : undefined,
  ),
  define('.slice', onList(slice)),
  define('.flatten', (list, depth) => {
    if (!isList(list)) return undefined;
    if (depth !== undefined && numberOf(depth) !== undefined && Number(numberOf(depth)) < 0) {
      throw new CelError('level must be non-negative');
    }
    return flatten(list, typeof depth === 'bigint' ? depth : 1n);
  }),
  define('.distinct', onList(distinct)),
  define(
    '.reverse',
    onList((list) => [...list].reverse()),
  ),
  define('.sort', onList(sort)),
  define('lists.range', range),
  define('sets.contains', onSets(contains)),
  define(
    'sets.equivalent',
    onSets((a, b) => contains(a, b) && contains(b, a)),
  ),
  define(
    'sets.intersects',
    onSets((a, b) => a.some((item) => b.some((other) => isEqual(item, other)))),
  ),
];
