import { parseDuration, parseTimestamp } from '../functions/time.ts';
import { compileRegex } from '../regex.ts';
import type { Call, Expression } from '../syntax/expression.ts';
import { partsOf } from '../syntax/expression.ts';
import type { Issue } from '../syntax/issue.ts';
import { CelError, type CelValue } from '../value.ts';
import type { Checked } from './check.ts';
import { formatIssue } from './format.ts';
import { type CelType, isSameType, showType, TYPES } from './types.ts';

/** Functions whose first argument must be valid if it is a literal. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  duration: parseDuration,
  timestamp: parseTimestamp,
  matches: compileRegex,
};

const isReadable = (read: (text: string) => unknown, value: CelValue): boolean => {
  if (typeof value !== 'string') return true;
  try {
    read(value);
    return true;
  } catch (error) {
    if (error instanceof CelError) return false;
    throw error;
  }
};

const argumentIssues = ({ function: name, args: [first] }: Call): Issue[] => {
  const read = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  if (!read || first?.kind !== 'literal' || isReadable(read, first.value)) return [];
  return [{ at: first.at, message: `invalid ${name} argument` }];
};

/** An item, a key or a value of a literal. */
interface Item {
  at: number;
  type: CelType;
}

const differing = (items: readonly Item[], first = items[0]): Issue[] =>
  items.flatMap(({ at, type }) => {
    if (!first || isSameType(first.type, type)) return [];
    return [{ at, message: `expected type '${showType(first.type)}' but found '${showType(type)}'` }];
  });

/** All items of a list literal need the same type, and so do the keys and the values of a map literal. */
const mixedIssues = (expression: Expression, types: ReadonlyMap<number, CelType>): Issue[] => {
  const itemOf = ({ id, at }: Expression, isOptional: boolean): Item => {
    const type = types.get(id) ?? TYPES.dyn;
    return { at, type: isOptional ? (type.parameters[0] ?? type) : type };
  };
  if (expression.kind === 'list') {
    return differing(expression.items.map(({ value, isOptional }) => itemOf(value, isOptional))).slice(0, 1);
  }
  if (expression.kind !== 'map') return [];
  return [
    ...differing(expression.entries.map(({ key }) => itemOf(key, false))),
    ...differing(expression.entries.map(({ value, isOptional }) => itemOf(value, isOptional))),
  ];
};

const issuesIn = (expression: Expression, checked: Checked, isFormatted: boolean): Issue[] => {
  const isFormat = expression.kind === 'call' && expression.function === 'format';
  return [
    ...(expression.kind === 'call' ? argumentIssues(expression) : []),
    ...(isFormat ? formatIssue(expression, checked) : []),
    ...(isFormatted ? [] : mixedIssues(expression, checked.types)),
    ...partsOf(expression).flatMap((part) => issuesIn(part, checked, isFormatted || isFormat)),
  ];
};

/** Runs cel-go's validators on an expression without type errors (cel/validator.go). */
export const literalIssues = (checked: Checked): Issue[] => issuesIn(checked.root, checked, false);
