import type { ASTNode, TypeError as CelTypeError, ParseError } from '@marcbachmann/cel-js';
import { OBJECT_TYPE } from './declare.ts';
import { hasFunction } from './functions/library.ts';

/** A fault of an expression, found before it is run: cel-go's message, and where it points. */
export interface Issue {
  at: number;
  message: string;
}

const checked = (node: unknown): string => {
  const { checkedType } = node as { checkedType?: { name: string } };
  return checkedType?.name ?? 'dyn';
};

/** The library's notation of a type in cel-go's: `list<string>` is `list(string)`. */
const typeText = (name: string): string =>
  name
    .replaceAll('<', '(')
    .replaceAll('>', ')')
    .replace(/\boptional\(/g, 'optional_type(')
    .replace(new RegExp(`\\b${OBJECT_TYPE}\\d+\\b`, 'g'), OBJECT_TYPE);

export const shownType = (node: ASTNode): string => typeText(checked(node));

const OPERATORS: Readonly<Record<string, string>> = { in: '@in', '!_': '!_', '-_': '-_', '[]': '_[_]' };

/** Where an operator stands between its operands. */
const placeOfOperator = (node: ASTNode, [left, right]: readonly ASTNode[]): number => {
  if (!left || !right) return node.range.start;
  const between = node.input.slice(left.range.end, right.range.start);
  const offset = between.search(node.op === 'in' ? /\bin\b/ : /[^\s()]/);
  return left.range.end + Math.max(offset, 0);
};

/** The issue of an operator that does not take its operands. */
export const overloadIssue = (node: ASTNode): Issue => {
  const operands = (Array.isArray(node.args) ? node.args : [node.args]) as ASTNode[];
  const name = OPERATORS[node.op] ?? `_${node.op}_`;
  const types = operands.map(shownType).join(', ');
  return {
    at: placeOfOperator(node, operands),
    message: `found no matching overload for '${name}' applied to '(${types})'`,
  };
};

const placeOfCall = (node: ASTNode, from: number, name: string): number => {
  const at = node.input.indexOf(name, from);
  const open = node.input.indexOf('(', Math.max(at, 0) + name.length);
  return open < 0 ? node.range.start : open;
};

const undeclared = (name: string): string => `undeclared reference to '${name}' (in container '')`;

const callIssue = (node: ASTNode): Issue => {
  if (node.op === 'call') {
    const [name, args] = node.args;
    const at = placeOfCall(node, node.range.start, name);
    const types = args.map(shownType).join(', ');
    const mismatch = `found no matching overload for '${name}' applied to '(${types})'`;
    return { at, message: hasFunction(name) ? mismatch : undeclared(name) };
  }
  if (node.op !== 'rcall') return overloadIssue(node);
  const [name, receiver, args] = node.args;
  const types = `${shownType(receiver)}.(${args.map(shownType).join(', ')})`;
  const mismatch = `found no matching overload for '${name}' applied to '${types}'`;
  return {
    at: placeOfCall(node, receiver.range.end, name),
    message: hasFunction(`.${name}`) ? mismatch : undeclared(name),
  };
};

/** Where the dot of a selection stands; errors of `has` point at its parenthesis. */
const placeOfDot = (node: ASTNode): number => {
  const before = node.input.slice(0, node.range.start);
  const macro = /\bhas\s*\(\s*$/.exec(before);
  if (macro) return before.lastIndexOf('(');
  const [of] = (Array.isArray(node.args) ? node.args : []) as ASTNode[];
  return of && node.op === '.' ? node.input.indexOf('.', of.range.end) : node.range.start;
};

const fieldIssue = (node: ASTNode, code: string): Issue => {
  const [of, key] = node.args as [ASTNode, unknown];
  const unknown = `undefined field '${String(typeof key === 'string' ? key : '')}'`;
  const message = code === 'no_such_key' ? unknown : `type '${shownType(of)}' does not support field selection`;
  return { at: placeOfDot(node), message };
};

/** What the library found, in cel-go's words as far as there are any for it. */
export const issueOf = (error: ParseError | CelTypeError): Issue => {
  const node = error.node as ASTNode | undefined;
  const at = error.range?.start ?? 0;
  if (error.name === 'ParseError' || node?.op === undefined) return { at, message: `Syntax error: ${error.summary}` };
  switch (error.code) {
    case 'unknown_variable':
      return { at, message: undeclared(String(node.args)) };
    case 'no_such_key':
    case 'cannot_index_type':
      return fieldIssue(node, error.code);
    case 'no_such_overload':
      return overloadIssue(node);
    case 'no_matching_overload':
      return callIssue(node);
    default:
      return { at, message: error.summary };
  }
};

/** `ERROR: <input>:1:5: …` with the line and a mark below the place, as cel-go shows it. */
export const showIssue = (expression: string, { at, message }: Issue): string => {
  const before = expression.slice(0, at).split('\n');
  const [line, column] = [before.length, [...(before.at(-1) ?? '')].length];
  const text = expression.split('\n')[line - 1] ?? '';
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${text}\n | ${'.'.repeat(column)}^`;
};
