import { matchSteps } from '../../recent-patterns.ts';
import { type CelValue, isList, isMap, Optional } from '../value.ts';

const sizes = new WeakMap<object, number>();

const membersOf = (value: CelValue): Iterable<CelValue> => {
  if (isList(value)) return value;
  return isMap(value) ? [...value].flat() : [];
};

/** The number of values and characters in a value. Values do not change, so it is counted once. */
const deepSize = (value: CelValue): number => {
  if (typeof value === 'string' || value instanceof Uint8Array) return 1 + value.length;
  if (value instanceof Optional) return 1 + (value.value === undefined ? 0 : deepSize(value.value));
  if (!isList(value) && !isMap(value)) return 1;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  let size = 1;
  for (const member of membersOf(value)) size += deepSize(member);
  sizes.set(value, size);
  return size;
};

/** The number of items, entries or characters, without what is in them. */
const flatSize = (value: CelValue): number => {
  if (typeof value === 'string' || value instanceof Uint8Array || isList(value)) return value.length;
  if (isMap(value)) return value.size;
  return value instanceof Optional && value.value !== undefined ? flatSize(value.value) : 1;
};

const sum = (args: readonly CelValue[], size: (value: CelValue) => number): number =>
  args.reduce<number>((total, value) => total + size(value), 0);

const EQUALITY: ReadonlySet<string> = new Set(['_==_', '_!=_']);

/** Functions that compare each item with each other one, or with each of another list. */
const PAIRWISE = /^(?:distinct|sets\..+|sort|@sortByAssociatedKeys)$/;

/** Functions that visit everything in their arguments. */
const DEEP = /^(?:@in|indexOf|lastIndexOf|isSorted|sum|min|max|flatten|join|format|replace|string|type)$/;

const MATCHES: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

const matching = ([text = '', pattern = '']: readonly CelValue[]): number => {
  if (typeof text !== 'string' || typeof pattern !== 'string') return 1;
  try {
    return matchSteps(pattern, text.length);
  } catch {
    // The call itself reports the pattern.
    return pattern.length;
  }
};

const SEARCHES: ReadonlySet<string> = new Set(['indexOf', 'lastIndexOf']);

/** In the worst case, the text that is searched for is compared at each position. */
const searching = ([text = '', part = '']: readonly CelValue[]): number | undefined =>
  typeof text === 'string' && typeof part === 'string' ? text.length * (1 + part.length) : undefined;

/** Text that is created also takes memory. */
const STEPS_PER_CREATED = 20;

const occurrences = (text: string, part: string): number =>
  part === '' ? text.length + 1 : text.split(part).length - 1;

/** The length of the result of `replace`, of which neither cel-go's cost nor the arguments give an idea. */
const replaced = ([text, old, by]: readonly CelValue[]): number =>
  typeof text === 'string' && typeof old === 'string' && typeof by === 'string'
    ? occurrences(text, old) * by.length
    : 0;

/** Separators of `join`; its list is counted as an argument. */
const separators = ([list, separator]: readonly CelValue[]): number =>
  list !== undefined && isList(list) && typeof separator === 'string' ? list.length * separator.length : 0;

const OF_RESULT: Readonly<Record<string, (args: readonly CelValue[]) => number>> = {
  replace: replaced,
  join: separators,
};

/**
 * The steps of a call with these arguments, counted before it is made: at least as many as it visits or creates items,
 * entries and characters.
 */
export const callWork = (name: string, args: readonly CelValue[]): number => {
  const [first = null, second] = args;
  if (EQUALITY.has(name)) return Math.min(...args.map(deepSize));
  if (MATCHES.has(name)) return matching(args);
  const steps = SEARCHES.has(name) ? searching(args) : undefined;
  if (steps !== undefined) return steps;
  if (PAIRWISE.test(name)) return deepSize(first) * flatSize(second ?? first);
  const size = DEEP.test(name) ? deepSize : flatSize;
  return sum(args, size) + (OF_RESULT[name]?.(args) ?? 0) * STEPS_PER_CREATED;
};
