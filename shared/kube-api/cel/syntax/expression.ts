import type { CelValue } from '../value.ts';

/** A node of an expression. Types, overloads and sizes are stored by its id. */
export interface Part {
  id: number;
  /** The position that errors point at: an offset in the source, in UTF-16 code units. */
  at: number;
}

export interface Literal extends Part {
  kind: 'literal';
  value: CelValue;
}

export interface Identifier extends Part {
  kind: 'identifier';
  name: string;
}

export interface Select extends Part {
  kind: 'select';
  operand: Expression;
  field: string;
  /** `has(a.b)`: checks whether the field exists. */
  isTest: boolean;
}

export interface Call extends Part {
  kind: 'call';
  function: string;
  /** The receiver of a method call. */
  target?: Expression;
  args: readonly Expression[];
}

/** An item or an entry with a leading question mark is optional. */
export interface ListLiteral extends Part {
  kind: 'list';
  items: readonly { value: Expression; isOptional: boolean }[];
}

export interface Entry extends Part {
  key: Expression;
  value: Expression;
  isOptional: boolean;
}

export interface MapLiteral extends Part {
  kind: 'map';
  entries: readonly Entry[];
}

/** A message literal, `Name{field: value}`. */
export interface Message extends Part {
  kind: 'message';
  name: string;
  fields: readonly { name: string; value: Expression }[];
}

/** The expansion of macros such as `all` and `map`: a loop over a range with an accumulator. */
export interface Comprehension extends Part {
  kind: 'comprehension';
  range: Expression;
  variable: string;
  /** The variable for the item, if `variable` holds its index or key. */
  second?: string;
  accumulator: string;
  init: Expression;
  condition: Expression;
  step: Expression;
  result: Expression;
}

export type Expression = Literal | Identifier | Select | Call | ListLiteral | MapLiteral | Message | Comprehension;

/** The direct subexpressions, in the order in which they are checked. */
export const partsOf = (expression: Expression): readonly Expression[] => {
  switch (expression.kind) {
    case 'select':
      return [expression.operand];
    case 'call':
      return [...(expression.target ? [expression.target] : []), ...expression.args];
    case 'list':
      return expression.items.map(({ value }) => value);
    case 'map':
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case 'message':
      return expression.fields.map(({ value }) => value);
    case 'comprehension': {
      const { range, init, condition, step, result } = expression;
      return [range, init, condition, step, result];
    }
    default:
      return [];
  }
};

/** An expression and all of its subexpressions. */
export const everyPart = (expression: Expression): Expression[] => [
  expression,
  ...partsOf(expression).flatMap(everyPart),
];
