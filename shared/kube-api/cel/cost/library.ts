import type { Declared } from '../declare.ts';
import { type CallEstimate, itemOf, type Node, sizeOf } from './node.ts';
import { add, COST, FACTOR, fixed, MAX, multiply, type Range, scale } from './range.ts';

/** A call: its receiver, if it is a method, and its arguments. */
export interface Arguments {
  root: Declared;
  overload: string;
  target: Node | undefined;
  args: readonly Node[];
}

type Estimate = (call: Arguments) => CallEstimate | undefined;

const ONE = fixed(1n);

const constant: Estimate = () => ({ cost: ONE });

/** Charges for reading the first argument `times` times. */
const readsArgument =
  (times = 1): Estimate =>
  ({ root, args: [text] }) =>
    text && { cost: scale(sizeOf(root, text), times * FACTOR.text) };

/** Charges for reading the receiver. The result has the same size. */
const transforms: Estimate = ({ root, target }) => {
  const size = target && sizeOf(root, target);
  return size && { cost: scale(size, FACTOR.text), size };
};

/** Charges for reading each item of a list, or a string, once. */
const traverses: Estimate = ({ root, target }) => {
  if (!target) return undefined;
  const item = itemOf(target);
  if (!item) return { cost: scale(sizeOf(root, target), FACTOR.text) };
  const isText = item.type.kind === 'string' || item.type.kind === 'bytes';
  const each = isText ? add(ONE, scale(sizeOf(root, item), FACTOR.text)) : ONE;
  return { cost: multiply(sizeOf(root, target), each) };
};

/** How often a substring is replaced, and how much of the string remains, for one bound of the sizes. */
const replaced = (size: bigint, old: bigint, isNever: boolean): { count: bigint; rest: bigint } => {
  if (old === 0n) return { count: size < MAX ? size + 1n : size, rest: size };
  if (isNever) return { count: 0n, rest: size };
  const count = Math.ceil(Number(size) / Number(old));
  // Go's result of converting a double that is too large for 64 bits.
  return { count: count >= 2 ** 64 ? 2n ** 63n : BigInt(count), rest: 0n };
};

const replaces: Estimate = ({ root, target, args: [old, by] }) => {
  if (!target || !old || !by) return undefined;
  const [size, from, to] = [target, old, by].map((node) => sizeOf(root, node)) as [Range, Range, Range];
  const most = replaced(size.max, from.min, to.max <= from.min);
  const least = replaced(size.min, from.max, from.max <= to.min);
  const result = add(multiply({ min: least.count, max: most.count }, to), { min: least.rest, max: most.rest });
  return { cost: scale(size, 2 * FACTOR.text), size: result };
};

/** The value of an integer literal; undefined for other arguments. */
const writtenInt = (node: Node | undefined): bigint | undefined =>
  node?.expression?.kind === 'literal' && typeof node.expression.value === 'bigint' ? node.expression.value : undefined;

const splits: Estimate = ({ root, target, args: [, limit] }) => {
  if (!target) return undefined;
  const size = sizeOf(root, target);
  const most = writtenInt(limit) ?? size.max;
  return { cost: scale(size, 2 * FACTOR.text), size: { min: 0n, max: BigInt.asUintN(64, most) } };
};

const less = (value: bigint): bigint => (value > 0n ? value - 1n : 0n);

const joins: Estimate = ({ root, target, args: [separator] }) => {
  if (!target) return undefined;
  const count = sizeOf(root, target);
  const item = itemOf(target);
  const items = item ? multiply(count, sizeOf(root, item)) : fixed(0n);
  const between = { min: less(count.min), max: less(count.max) };
  const size = separator ? add(items, multiply(sizeOf(root, separator), between)) : items;
  return { cost: scale(size, FACTOR.text), size };
};

const finds: Estimate = ({ root, target, args: [pattern] }) => {
  if (!target || !pattern) return undefined;
  const size = sizeOf(root, target);
  const text = scale(add(size, ONE), FACTOR.text);
  return { cost: multiply(text, scale(sizeOf(root, pattern), FACTOR.regex)), size: { min: 0n, max: size.max } };
};

/** The size of an IP address in bytes. */
const ADDRESS: Range = { min: 4n, max: 16n };

const contains =
  (isBlock: boolean): Estimate =>
  ({ root, overload, args: [other] }) => {
    if (!other) return undefined;
    const block = isBlock ? [scale(ADDRESS, FACTOR.text), ONE] : [];
    const text = overload.endsWith('_string') ? [scale(sizeOf(root, other), FACTOR.text)] : [];
    return { cost: add(scale(add(ADDRESS, ADDRESS), FACTOR.text), ...block, ...text) };
  };

const ofUrl: Estimate = ({ root, args: [text] }) => {
  const size = text && sizeOf(root, text);
  return size && { cost: scale(size, FACTOR.text), size };
};

const ofIp: Estimate = (call) => (call.overload === 'cidr_ip' ? { cost: ONE } : readsArgument()(call));

/** The length of the longest regular expression of a named format. */
const FORMAT_REGEX = 128;

const validates: Estimate = ({ root, args: [text] }) =>
  text && { cost: scale(scale(sizeOf(root, text), FACTOR.text), FORMAT_REGEX * FACTOR.regex) };

const EQUAL_AT_ONCE: ReadonlySet<string> = new Set(['net.IP', 'net.CIDR', 'kubernetes.Quantity', 'kubernetes.Semver']);

/** Equality of values of the types that Kubernetes adds. */
const equals: Estimate = ({ args: [left, right] }) => {
  if (!left || !right || left.type.name !== right.type.name) return undefined;
  const { name } = left.type;
  if (EQUAL_AT_ONCE.has(name)) return { cost: ONE };
  if (name === 'kubernetes.NamedFormat') return { cost: scale({ min: 1n, max: 64n }, FACTOR.text) };
  if (name !== 'kubernetes.URL') return undefined;
  return { cost: scale({ min: 1n, max: right.size?.max ?? 1n }, FACTOR.text) };
};

/** The integer literal that cel-go's libraries use for an estimate, or the default if the argument is not a literal. */
const uintOf = (node: Node | undefined, otherwise: bigint): bigint => {
  const value = writtenInt(node);
  if (value === undefined) return otherwise;
  return value < 0n ? 0n : value;
};

/** Charges for creating a list in as many steps as its size times the factor. */
const allocates = (factor: number, size: Range): CallEstimate => ({
  cost: add(scale(size, factor), ONE, fixed(COST.list)),
  size,
});

const squared =
  (of: (call: Arguments) => Node | undefined, factor: number): Estimate =>
  (call) => {
    const node = of(call);
    const size = node && sizeOf(call.root, node);
    return size && allocates(factor, multiply(size, size));
  };

const slices: Estimate = ({ root, target, args: [start, end] }) => {
  if (!target) return undefined;
  const count = uintOf(end, sizeOf(root, target).max) - uintOf(start, 0n);
  return allocates(1, fixed(BigInt.asUintN(64, count)));
};

const flattens: Estimate = ({ root, target, args: [depth] }) =>
  target && allocates(Number(depth ? uintOf(depth, MAX) : 1n), sizeOf(root, target));

const comparesSets =
  (factor: number): Estimate =>
  ({ root, args: [a, b] }) =>
    a && b && { cost: add(scale(multiply(sizeOf(root, a), sizeOf(root, b)), factor), ONE) };

const PLAIN_ORDER = ['int', 'uint', 'double', 'bool', 'google.protobuf.Duration', 'google.protobuf.Timestamp'];

const sorts = (types: readonly string[], factor: number): [string, Estimate][] =>
  types.flatMap((type): [string, Estimate][] => [
    [`list_${type}_sort`, squared(({ target }) => target, factor)],
    [`list_${type}_sortByAssociatedKeys`, squared(({ args: [keys] }) => keys, factor)],
  ]);

/** cel-go's list and set libraries by overload (ext/lists.go, ext/sets.go). */
const BY_OVERLOAD: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ['list_slice', slices],
  ['list_flatten', flattens],
  ['list_flatten_int', flattens],
  ['lists_range', ({ args: [count] }) => allocates(1, fixed(uintOf(count, MAX)))],
  ['list_reverse', ({ root, target }) => target && allocates(1, sizeOf(root, target))],
  ['list_distinct', squared(({ target }) => target, 2)],
  ...sorts(PLAIN_ORDER, 2),
  ...sorts(['string', 'bytes'], 2 + FACTOR.text),
  ['list_sets_contains_list', comparesSets(1)],
  ['list_sets_intersects_list', comparesSets(1)],
  ['list_sets_equivalent_list', comparesSets(2)],
]);

const each = (names: string, estimate: Estimate): [string, Estimate][] =>
  names.split(' ').map((name) => [name, estimate]);

/** Kubernetes' estimates by function (k8s.io/apiserver/pkg/cel/library/cost.go). */
const BY_FUNCTION: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ...each('isSorted sum max min indexOf lastIndexOf', traverses),
  ['url', ofUrl],
  ...each('lowerAscii upperAscii substring trim', transforms),
  ['replace', replaces],
  ['split', splits],
  ['join', joins],
  ...each('find findAll', finds),
  ...each('cidr isIP isCIDR quantity isQuantity semver isSemver', readsArgument()),
  ['ip', ofIp],
  ['ip.isCanonical', readsArgument(2)],
  ...each('masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast', constant),
  ...each('isGlobalUnicast format.named sign asInteger isInteger asApproximateFloat isGreaterThan', constant),
  ...each('isLessThan compareTo add sub major minor patch', constant),
  ...each('getScheme getHostname getHost getPort getEscapedPath getQuery', constant),
  ['containsIP', contains(false)],
  ['containsCIDR', contains(true)],
  ['validate', validates],
  ['_==_', equals],
]);

/** Estimates a library call without its arguments; undefined for cel-go's own functions. */
export const estimateLibraryCall = (name: string, call: Arguments): CallEstimate | undefined =>
  BY_OVERLOAD.get(call.overload)?.(call) ?? BY_FUNCTION.get(name)?.(call);
