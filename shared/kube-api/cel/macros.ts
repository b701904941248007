import type { ASTNode } from '@marcbachmann/cel-js';
import type { Meter } from './meter.ts';
import { CelError, type CelValue, isList, isMap, noOverload, Optional } from './value.ts';

/** The variables of an expression. */
export type Scope = ReadonlyMap<string, CelValue>;

/** How the expressions within a macro are evaluated, at whose cost, and what they see. */
export interface Evaluation {
  evaluate(node: ASTNode, scope: Scope, meter: Meter): CelValue;
  scope: Scope;
  meter: Meter;
}

/** The value of an expression that also sees `name`. */
const within = (node: ASTNode, name: string, value: CelValue, { evaluate, scope, meter }: Evaluation): CelValue =>
  evaluate(node, new Map([...scope, [name, value]]), meter);

/** Macros by name, with the numbers of arguments that they take. */
const MACROS: Readonly<Record<string, readonly number[]>> = {
  all: [2],
  exists: [2],
  exists_one: [2],
  existsOne: [2],
  map: [2, 3],
  filter: [2],
  optMap: [2],
  optFlatMap: [2],
  bind: [3],
};

export const isMacro = (name: string, count: number): boolean => MACROS[name]?.includes(count) ?? false;

const itemsOf = (value: CelValue): readonly CelValue[] => {
  if (isList(value)) return value;
  if (isMap(value)) return [...value.keys()];
  throw noOverload();
};

/** An item at a time: the predicate's value, or the error that it ended with. */
type Test = (item: CelValue) => boolean | CelError;

const tester =
  (name: string, predicate: ASTNode, by: Evaluation): Test =>
  (item) => {
    try {
      const value = within(predicate, name, item, by);
      return typeof value === 'boolean' ? value : noOverload();
    } catch (error) {
      if (error instanceof CelError) return error;
      throw error;
    }
  };

/** `all` ends with the first false, `exists` with the first true; an error counts where no item decides. */
const quantified = (items: readonly CelValue[], test: Test, decides: boolean): boolean => {
  let fault: CelError | undefined;
  for (const item of items) {
    const value = test(item);
    if (value === decides) return decides;
    if (value instanceof CelError) fault ??= value;
  }
  if (fault) throw fault;
  return !decides;
};

const held = (test: Test, item: CelValue): boolean => {
  const value = test(item);
  if (value instanceof CelError) throw value;
  return value;
};

const nameOf = (node: ASTNode | undefined): string => {
  if (node?.op !== 'id') throw noOverload();
  return node.args;
};

type Call = Extract<ASTNode, { op: 'rcall' }>;

const onOptional = (name: string, value: CelValue, args: readonly ASTNode[], by: Evaluation): CelValue => {
  if (!(value instanceof Optional)) throw noOverload();
  if (value.value === undefined) return value;
  const result = within(args[1] as ASTNode, nameOf(args[0]), value.value, by);
  return name === 'optMap' ? new Optional(result) : result;
};

const mapped = (items: readonly CelValue[], args: readonly ASTNode[], by: Evaluation): CelValue => {
  const name = nameOf(args[0]);
  const test = args.length === 3 ? tester(name, args[1] as ASTNode, by) : () => true;
  const transform = args.at(-1) as ASTNode;
  return items.filter((item) => held(test, item)).map((item) => within(transform, name, item, by));
};

/** The value of a macro, whose arguments are expressions over a variable that they name. */
export const runMacro = (node: Call, by: Evaluation): CelValue => {
  const [name, receiver, args] = node.args;
  if (name === 'bind') {
    const value = by.evaluate(args[1] as ASTNode, by.scope, by.meter);
    return within(args[2] as ASTNode, nameOf(args[0]), value, by);
  }
  const of = by.evaluate(receiver, by.scope, by.meter);
  if (name === 'optMap' || name === 'optFlatMap') return onOptional(name, of, args, by);
  const items = itemsOf(of);
  by.meter.spend(1 + items.length);
  if (name === 'map') return mapped(items, args, by);
  const test = tester(nameOf(args[0]), args[1] as ASTNode, by);
  if (name === 'filter') return items.filter((item) => held(test, item));
  if (name === 'all' || name === 'exists') return quantified(items, test, name === 'exists');
  return items.filter((item) => held(test, item)).length === 1;
};
