import type { Call, Expression } from '../syntax/expression.ts';
import type { CallEstimate } from './node.ts';
import { add, FACTOR, fixed, multiply, type Range, scale, union } from './range.ts';

/** What is known of the sizes of arguments, and of what they hold. */
interface Sizes {
  sizeOrUnknown(expression: Expression): Range;
  /** Lists and maps that come from either of two hold what both may hold. */
  joinEntries(expression: Expression, parts: readonly [Expression, Expression]): void;
}

interface StandardCall {
  call: Call;
  overload: string;
  /** Of the arguments. */
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

/** What a function of cel-go itself costs besides its arguments; undefined for those that cost 1. */
const ownCost = (overload: string, [target, first, second]: readonly (Range | undefined)[]): CallEstimate | undefined => {
  if (target && overload === 'string_format') return { cost: scale(target, FACTOR.text) };
  if (first && overload === 'string_to_bytes') {
    return { cost: scale(first, FACTOR.text), size: { min: first.min, max: BigInt.asUintN(64, first.max * 4n) } };
  }
  if (first && overload === 'bytes_to_string') {
    return { cost: scale(first, FACTOR.text), size: { min: first.min / 4n, max: first.max } };
  }
  if (first && overload === 'strings_quote') {
    const max = BigInt.asUintN(64, first.max * 2n + 2n);
    return { cost: scale(first, FACTOR.text), size: { min: BigInt.asUintN(64, first.min + 2n), max } };
  }
  if (first && /^(?:starts|ends)_with_string$/.test(overload)) return { cost: scale(first, FACTOR.text) };
  if (second && overload === 'in_list') return { cost: second };
  if (target && first && overload === 'matches_string') return { cost: matched(target, first) };
  if (first && second && overload === 'matches') return { cost: matched(first, second) };
  if (target && first && overload === 'contains_string') {
    return { cost: multiply(scale(target, FACTOR.text), scale(first, FACTOR.text)) };
  }
  return first && second && COMPARED.test(overload) ? { cost: compared(first, second) } : undefined;
};

/** What a call of cel-go's own functions costs, with its arguments but without its receiver (checker/cost.go). */
export const estimateCall = (of: StandardCall): CallEstimate => {
  const { call, overload, costs, sizes } = of;
  if (overload === 'conditional') return conditional(of);
  if (overload === 'logical_and' || overload === 'logical_or') return logical(costs);
  if (/^add_(?:string|bytes|list)$/.test(overload)) return joined(of);
  const isMethod = call.target !== undefined;
  const target = isMethod ? sizes.sizeOrUnknown(call.target as Expression) : undefined;
  const [first, second] = call.args.map((argument) => sizes.sizeOrUnknown(argument));
  const own = ownCost(overload, [target, first, second]);
  return own ? { ...own, cost: add(own.cost, ...costs) } : { cost: add(ONE, ...costs) };
};
