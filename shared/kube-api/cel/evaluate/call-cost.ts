import { Buffer } from 'node:buffer';
import { codePoints } from '../../code-points.ts';
import { type CelValue, isList, isMap, isOpaque, Optional, typeOf } from '../value.ts';

const TEXT = 0.1;
const REGEX = 0.25;
const LIST = 10;

const length = (value: CelValue): number | undefined => {
  if (typeof value === 'string') return codePoints(value);
  if (value instanceof Uint8Array || isList(value)) return value.length;
  if (isMap(value)) return value.size;
  return value !== null && isOpaque(value) && 'size' in value ? Number(value.size) : undefined;
};

/**
 * Counts as Kubernetes and its libraries do; cel-go itself includes the contents of optional values. An error counts 1.
 */
const sizeOf = (value: CelValue | undefined): number => (value === undefined ? 1 : (length(value) ?? 1));

const deepSize = (value: CelValue | undefined): number =>
  value instanceof Optional && value.value !== undefined ? deepSize(value.value) : sizeOf(value);

const read = (value: CelValue | undefined, factor = TEXT): number => Math.ceil(sizeOf(value) * factor);

/** An argument is undefined if its evaluation failed; then the result is undefined, too. */
interface Called {
  overload: string;
  args: readonly (CelValue | undefined)[];
  result: CelValue | undefined;
}

type Cost = (called: Called) => number;

/** The cost of visiting every part of a value once. */
const traversal = (value: CelValue | undefined): number => {
  if (value === undefined) return 1;
  if (typeof value === 'string') return Math.trunc(Buffer.byteLength(value) * TEXT);
  if (value instanceof Uint8Array) return Math.trunc(value.length * TEXT);
  if (isList(value)) return value.reduce<number>((sum, item) => sum + traversal(item), 0);
  if (!isMap(value)) return 1;
  return [...value].reduce((sum, [key, member]) => sum + traversal(key) + traversal(member), 0);
};

const found = (text: CelValue | undefined, pattern: CelValue | undefined): number =>
  Math.ceil((1 + sizeOf(text)) * TEXT) * read(pattern, REGEX);

const contains: Cost = ({ overload, args: [block, other] }) => {
  const both = Math.ceil(2 * sizeOf(block) * TEXT);
  const ofBlock = overload.startsWith('cidr_contains_cidr') ? read(block) + 1 : 0;
  return both + ofBlock + (overload.endsWith('_string') ? read(other) : 0);
};

const validated: Cost = ({ args: [format, text] }) => {
  const regex = format !== null && typeof format === 'object' && 'regexSize' in format ? Number(format.regexSize) : 1;
  return Math.ceil((1 + sizeOf(text)) * TEXT) * Math.ceil(regex * REGEX);
};

const each = (names: string, cost: Cost): [string, Cost][] => names.split(' ').map((name) => [name, cost]);

/** Kubernetes' costs by function (k8s.io/apiserver/pkg/cel/library/cost.go). */
const BY_FUNCTION: ReadonlyMap<string, Cost> = new Map<string, Cost>([
  ...each('isSorted sum max min indexOf lastIndexOf', ({ args: [of] }) => traversal(of)),
  ...each('url lowerAscii upperAscii substring trim', ({ args: [text] }) => read(text)),
  ...each('replace split', ({ args: [text] }) => read(text, 2 * TEXT)),
  ['join', ({ result }) => read(result, 2 * TEXT)],
  ...each('find findAll', ({ args: [text, pattern] }) => found(text, pattern)),
  ...each('cidr isIP isCIDR quantity isQuantity semver isSemver', ({ args: [text] }) => read(text)),
  ['ip', ({ overload, args: [text] }) => (overload === 'cidr_ip' ? 1 : read(text))],
  ['ip.isCanonical', ({ args: [text] }) => read(text, 2 * TEXT)],
  ...each('containsIP containsCIDR', contains),
  ['validate', validated],
]);

const allocated = (factor: number, size: number): number => Math.trunc(size * factor) + 1 + LIST;

const compared = (list: CelValue | undefined): number => {
  const items = list !== undefined && isList(list) ? list : [];
  const [first] = items;
  const isText = typeof first === 'string' || first instanceof Uint8Array;
  return allocated(isText ? 2 + TEXT : 2, items.length ** 2);
};

const sets =
  (factor: number): Cost =>
  ({ args: [a, b] }) =>
    1 + sizeOf(a) * sizeOf(b) * factor;

const flattened: Cost = ({ args: [list, depth] }) => allocated(depth === undefined ? 1 : Number(depth), sizeOf(list));

const ofResult: Cost = ({ result }) => allocated(1, sizeOf(result));

/** The costs of cel-go's list and set libraries by overload. */
const BY_OVERLOAD: ReadonlyMap<string, Cost> = new Map<string, Cost>([
  ...each('list_slice lists_range list_reverse', ofResult),
  ...each('list_flatten list_flatten_int', flattened),
  ['list_distinct', ({ args: [list] }) => compared(list)],
  ['list_sets_contains_list', sets(1)],
  ['list_sets_intersects_list', sets(1)],
  ['list_sets_equivalent_list', sets(2)],
]);

const libraryCost = (overload: string): Cost | undefined => {
  const known = BY_OVERLOAD.get(overload);
  if (known || !/^list_.*_sort(?:ByAssociatedKeys)?$/.test(overload)) return known;
  return ({ args }) => compared(overload.endsWith('sortByAssociatedKeys') ? args[1] : args[0]);
};

const KUBERNETES = /^(?:kubernetes\.|net\.)/;

const smaller: Cost = ({ args: [a, b] }) => Math.ceil(Math.min(deepSize(a), deepSize(b)) * TEXT);

const equality: Cost = (called) => {
  const [left] = called.args;
  return left !== undefined && KUBERNETES.test(typeOf(left)) ? 1 : smaller(called);
};

const matched: Cost = ({ args: [a, b] }) => Math.ceil((1 + deepSize(a)) * TEXT) * Math.ceil(deepSize(b) * REGEX);

const added: Cost = ({ args: [a, b] }) => Math.ceil((deepSize(a) + deepSize(b)) * TEXT);

/** cel-go's own costs by overload; sizes are computed only where they count. */
const OWN: ReadonlyMap<string, Cost> = new Map<string, Cost>([
  ...each('starts_with_string ends_with_string', ({ args: [, b] }) => Math.ceil(deepSize(b) * TEXT)),
  ...each('string_to_bytes bytes_to_string strings_quote string_format', ({ args: [a] }) =>
    Math.ceil(deepSize(a) * TEXT),
  ),
  ['in_list', ({ args: [, b] }) => deepSize(b)],
  ...each('less_string less_equals_string greater_string greater_equals_string', smaller),
  ...each('less_bytes less_equals_bytes greater_bytes greater_equals_bytes', smaller),
  ['not_equals', smaller],
  ...each('add_string add_bytes', added),
  ...each('matches matches_string', matched),
  ['contains_string', ({ args: [a, b] }) => Math.ceil(deepSize(a) * TEXT) * Math.ceil(deepSize(b) * TEXT)],
]);

const ownCost = (called: Called): number => OWN.get(called.overload)?.(called) ?? 1;

/**
 * The cost of a call, without its arguments (interpreter/runtimecost.go). `overload` is empty if several overloads
 * match.
 */
export const callCost = (name: string, called: Called): number => {
  const library = libraryCost(called.overload) ?? BY_FUNCTION.get(name);
  if (library) return library(called);
  return name === '_==_' ? equality(called) : ownCost(called);
};
