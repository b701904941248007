import type { CelType } from '../check/types.ts';
import type { Declared } from '../declare.ts';
import type { Expression } from '../syntax/expression.ts';
import { type Range, UNKNOWN } from './range.ts';

/** An argument of a call, as the cost model sees it. */
export interface Node {
  type: CelType;
  /** The path from the variable to the value; undefined if the value is computed. */
  path: readonly string[] | undefined;
  size: Range | undefined;
  expression?: Expression;
}

/** The estimated cost of a call, and the size of its result. */
export interface CallEstimate {
  cost: Range;
  size?: Range;
}

/** The size of the value at a path, by the limits of its schema; the first step is the variable. */
export const sizeAt = (root: Declared, path: readonly string[] | undefined): Range | undefined => {
  if (!path || path.length === 0) return undefined;
  let at: Declared | undefined = root;
  for (const step of path.slice(1)) {
    if (step === '@items' || step === '@values') at = at?.element;
    else at = step === '@keys' ? at?.key : at?.fields?.get(step);
  }
  return at && { min: 0n, max: BigInt(at.maxElements) };
};

export const sizeOf = (root: Declared, { size, path }: Pick<Node, 'size' | 'path'>): Range =>
  size ?? sizeAt(root, path) ?? UNKNOWN;

/** The items of a list. */
export const itemOf = ({ type, path }: Node): Node | undefined => {
  const [item] = type.parameters;
  return item && { type: item, path: path && [...path, '@items'], size: undefined };
};
