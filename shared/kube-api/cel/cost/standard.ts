import type { Call, Expression } from '../syntax/expression.ts';
import type { CallEstimate } from './node.ts';
import { add, FACTOR, fixed, multiply, type Range, scale, union } from './range.ts';

/** The known sizes of arguments and of their elements. */
interface Sizes {
  sizeOrUnknown(expression: Expression): Range;
  /** Records that a list or map may contain the elements of either part. */
  joinEntries(expression: Expression, parts: readonly [Expression, Expression]): void;
}

interface StandardCall {
  call: Call;
  overload: string;
  /** The costs of the arguments. */
  costs: readonly Range[];
  sizes: Sizes;
}

const ONE = fixed(1n);

const COMPARED = /^(?:less|greater)(?:_equals)?_(?:string|bytes)$|^(?:not_)?equals$/;

const compared = (a: Range, b: Range): Range => {
  const max = a.max < b.max ? a.max : b.max;
  return scale({ min: max > 0n ? 1n : 0n, max }, FACTOR.text);
};

/** Only one of the branches is evaluated. */
const conditional = ({ call, costs: [test, then, otherwise], sizes }: StandardCall): CallEstimate => {
  const [, a, b] = call.args as [Expression, Expression, Expression];
  const size = union(sizes.sizeOrUnknown(a), sizes.sizeOrUnknown(b));
  sizes.joinEntries(call, [a, b]);
  return { cost: add(test as Range, union(then as Range, otherwise as Range)), size };
};

const logical = ([left, right]: readonly Range[]): CallEstimate => ({
  cost: { min: (left as Range).min, max: add(left as Range, right as Range).max },
});

const joined = ({ call, overload, costs, sizes }: StandardCall): CallEstimate => {
  const [a, b] = call.args as [Expression, Expression];
  const size = add(sizes.sizeOrUnknown(a), sizes.sizeOrUnknown(b));
  sizes.joinEntries(call, [b, a]);
  return { cost: add(overload === 'add_list' ? ONE : scale(size, FACTOR.text), ...costs), size };
};

const matched = (text: Range, pattern: Range): Range =>
  multiply(scale(add(text, ONE), FACTOR.text), scale(pattern, FACTOR.regex));

/** Estimates a call from the sizes of its receiver and first argument, or of its first two arguments. */
type Own = (first: Range, second: Range) => CallEstimate;

const reads = (size: Range): Range => scale(size, FACTOR.text);

const wrapped = (value: bigint): bigint => BigInt.asUintN(64, value);

/** The costs of cel-go's own functions without their arguments; functions that are not listed cost 1. */
const OWN: Readonly<Record<string, Own>> = {
  string_format: (text) => ({ cost: reads(text) }),
  string_to_bytes: (text) => ({ cost: reads(text), size: { min: text.min, max: wrapped(text.max * 4n) } }),
  bytes_to_string: (bytes) => ({ cost: reads(bytes), size: { min: bytes.min / 4n, max: bytes.max } }),
  strings_quote: (text) => ({
    cost: reads(text),
    size: { min: wrapped(text.min + 2n), max: wrapped(text.max * 2n + 2n) },
  }),
  starts_with_string: (_, prefix) => ({ cost: reads(prefix) }),
  ends_with_string: (_, suffix) => ({ cost: reads(suffix) }),
  in_list: (_, list) => ({ cost: list }),
  matches: (text, pattern) => ({ cost: matched(text, pattern) }),
  matches_string: (text, pattern) => ({ cost: matched(text, pattern) }),
  contains_string: (text, part) => ({ cost: multiply(reads(text), reads(part)) }),
};

const ownOf = (overload: string): Own | undefined =>
  COMPARED.test(overload) ? (a, b) => ({ cost: compared(a, b) }) : OWN[overload];

/** Estimates a call of cel-go's own functions, including its arguments but not its receiver (checker/cost.go). */
export const estimateCall = (of: StandardCall): CallEstimate => {
  const { call, overload, costs, sizes } = of;
  if (overload === 'conditional') return conditional(of);
  if (overload === 'logical_and' || overload === 'logical_or') return logical(costs);
  if (/^add_(?:string|bytes|list)$/.test(overload)) return joined(of);
  const parts = [...(call.target ? [call.target] : []), ...call.args];
  const [first = ONE, second = ONE] = parts.map((part) => sizes.sizeOrUnknown(part));
  const own = ownOf(overload)?.(first, second);
  return own ? { ...own, cost: add(own.cost, ...costs) } : { cost: add(ONE, ...costs) };
};
