import { Budget } from './budget.ts';
import { BUILTINS, type Functions, type TemplateFunction } from './functions.ts';
import { type Assignment, type Node, parseTemplate } from './parse.ts';
import type { Command, Operand, Pipe } from './parse-pipe.ts';
import { TemplateError } from './scan.ts';
import { isTruth, isValueMap, isValues, memberOf, printed, sortedKeys, type Value } from './values.ts';

/** The scope of a part of a template: `.`, its variables (`$` has the empty name), and the outer scope. */
interface Scope {
  dot: Value;
  variables: Map<string, Value>;
  outer?: Scope;
  functions: Functions;
  /** Treats a missing key as an error, like Go's option `missingkey=error`. */
  requiresKeys: boolean;
  /** Shared by all scopes of one execution. */
  budget: Budget;
}

const inner = (scope: Scope, dot = scope.dot): Scope => ({ ...scope, dot, variables: new Map(), outer: scope });

const holderOf = (scope: Scope | undefined, name: string): Map<string, Value> => {
  if (!scope) throw new TemplateError('uses a variable that is not defined');
  return scope.variables.has(name) ? scope.variables : holderOf(scope.outer, name);
};

const assign = ({ names, declares }: Assignment, values: readonly Value[], scope: Scope): void => {
  scope.budget.step(names.length);
  for (const [index, name] of names.entries()) {
    const holder = declares ? scope.variables : holderOf(scope, name);
    holder.set(name, values[index]);
  }
};

const operandValue = (operand: Operand, scope: Scope): Value => {
  scope.budget.step();
  if ('path' in operand) scope.budget.spend(operand.path.length);
  if ('constant' in operand) return operand.constant;
  if ('pipe' in operand) return memberOf(evaluate(operand.pipe, scope), operand.path, scope.requiresKeys);
  if ('of' in operand) return memberOf(scope.dot, operand.path, scope.requiresKeys);
  return memberOf(holderOf(scope, operand.variable).get(operand.variable), operand.path, scope.requiresKeys);
};

const isTrue = (value: Value, { budget }: Scope): boolean => {
  budget.read(value);
  return isTruth(value);
};

/** `and` and `or` return the first value that decides, and do not evaluate the rest. */
const decide = (isOr: boolean, operands: readonly Operand[], piped: readonly Value[], scope: Scope): Value => {
  let value: Value;
  for (const operand of operands) {
    value = operandValue(operand, scope);
    if (isTrue(value, scope) === isOr) return value;
  }
  return piped.length > 0 ? piped[0] : value;
};

/** Charges the cost of a function before it runs, because some would take too long or run out of memory. */
const runFunction = ({ run, work }: TemplateFunction, values: readonly Value[], { budget }: Scope): Value => {
  for (const value of values) budget.read(value);
  if (work) budget.spend(work(values, (value) => budget.sizeOf(value)));
  const result = run?.(...values);
  budget.read(result);
  return result;
};

const run = (command: Command, piped: readonly Value[], scope: Scope): Value => {
  if (!('call' in command)) return operandValue(command.operand, scope);
  const { call, operands } = command;
  const count = operands.length + piped.length;
  const known: TemplateFunction = scope.functions[call] ?? { takes: [0, 0] };
  const [least, most] = known.takes;
  if (count < least || count > most) throw new TemplateError(`calls ${call} with ${count} arguments`);
  if (!known.run) return decide(call === 'or', operands, piped, scope);
  return runFunction(known, [...operands.map((operand) => operandValue(operand, scope)), ...piped], scope);
};

const evaluate = (pipe: Pipe, scope: Scope): Value =>
  pipe.reduce<Value[]>((piped, command) => [run(command, piped, scope)], [])[0];

const entriesOf = (value: Value): [Value, Value][] => {
  if (value === undefined || value === null) return [];
  if (isValues(value)) return value.map((item, index) => [BigInt(index), item]);
  if (isValueMap(value)) return sortedKeys(value).map((key) => [key, value[key]]);
  throw new TemplateError('ranges over what is neither a list nor a map');
};

type BranchNode = Extract<Node, { branch: unknown }>;

const renderRange = (node: BranchNode, value: Value, scope: Scope): string => {
  const entries = entriesOf(value);
  scope.budget.step(entries.length);
  if (entries.length === 0) return renderNodes(node.otherwise, scope);
  return entries
    .map(([key, item]) => {
      const within = inner(scope, item);
      const values = node.assigns?.names.length === 1 ? [item] : [key, item];
      if (node.assigns) assign(node.assigns, values, within);
      return renderNodes(node.then, within);
    })
    .join('');
};

const renderBranch = (node: BranchNode, scope: Scope): string => {
  const value = evaluate(node.pipe, scope);
  if (node.branch === 'range') return renderRange(node, value, inner(scope));
  const holds = isTrue(value, scope);
  const within = inner(scope, node.branch === 'with' && holds ? value : scope.dot);
  if (node.assigns) assign(node.assigns, [value], within);
  return renderNodes(holds ? node.then : node.otherwise, within);
};

const renderNodes = (nodes: readonly Node[], scope: Scope): string =>
  nodes
    .map((node) => {
      scope.budget.step();
      if ('text' in node) {
        scope.budget.read(node.text);
        return node.text;
      }
      if ('branch' in node) return renderBranch(node, scope);
      const value = evaluate(node.pipe, scope);
      if (node.assigns) {
        assign(node.assigns, [value], scope);
        return '';
      }
      scope.budget.read(value);
      return printed(value);
    })
    .join('');

/**
 * Renders a template with the supported subset of Go's text/template: fields, variables, constants, `if`, `with`,
 * `range`, `else`, pipes, parentheses, comments, trimming, and most predefined functions. The subset behaves as in Go
 * (a conformance test compares the two). `functions` can be called in addition to Go's own. Throws TemplateError for
 * anything else; its message contains no text of the template other than names of functions, keywords and fields.
 */
export const renderGoTemplate = (
  template: string,
  data: Value,
  functions: Functions = {},
  budget = new Budget(),
): string => {
  const all = { ...BUILTINS, ...functions };
  return renderParsed(parseTemplate(template, all), data, { functions: all, budget });
};

/**
 * Renders a template that was parsed with the same functions. Throws TemplateError, for example if the budget is spent.
 */
export const renderParsed = (
  nodes: readonly Node[],
  data: Value,
  {
    functions = BUILTINS,
    requiresKeys = false,
    budget = new Budget(),
  }: { functions?: Functions; requiresKeys?: boolean; budget?: Budget } = {},
): string => renderNodes(nodes, { dot: data, variables: new Map([['', data]]), functions, requiresKeys, budget });
