import type { ASTNode } from '@marcbachmann/cel-js';
import { type Issue, overloadIssue, shownType } from './issue.ts';
import { compileRegex } from './regex.ts';
import { CelError } from './value.ts';

const NUMBERS = new Set(['int', 'uint', 'double']);

const isOpen = (type: string): boolean => /\bdyn\b|^[A-Z]$/.test(type) || type === 'null_type' || type === 'null';

/** cel-go compares numbers of different types by order only, not by `==`; the library does both. */
const isMixedEquality = (node: ASTNode): boolean => {
  if (node.op !== '==' && node.op !== '!=') return false;
  const [left, right] = node.args.map(shownType);
  return left !== right && NUMBERS.has(left ?? '') && NUMBERS.has(right ?? '');
};

/** cel-go finds items in lists and keys in maps, and does not compare texts by `in`. */
const isInText = (node: ASTNode): boolean => {
  if (node.op !== 'in') return false;
  const container = shownType(node.args[1]);
  return !isOpen(container) && !container.startsWith('list') && !container.startsWith('map');
};

const isMixedArithmetic = (node: ASTNode): boolean => {
  if (!['+', '-', '*', '/', '%'].includes(node.op)) return false;
  const [left, right] = (node.args as [ASTNode, ASTNode]).map(shownType);
  return left !== right && NUMBERS.has(left ?? '') && NUMBERS.has(right ?? '');
};

/** Functions of the library that Kubernetes does not have. */
const FOREIGN: readonly string[] = ['json', 'hex', 'base64', 'at'];

const foreignIssue = (node: ASTNode): Issue[] => {
  if (node.op !== 'rcall' || !FOREIGN.includes(node.args[0])) return [];
  const at = node.input.indexOf('(', node.args[1].range.end);
  return [{ at, message: `undeclared reference to '${node.args[0]}' (in container '')` }];
};

/** A pattern that is written out has to be a regular expression. */
const patternIssue = (node: ASTNode): Issue[] => {
  const args = node.op === 'rcall' ? node.args[2] : node.op === 'call' ? node.args[1].slice(1) : [];
  const isMatches = (node.op === 'rcall' || node.op === 'call') && node.args[0] === 'matches';
  const [pattern] = args;
  if (!isMatches || pattern?.op !== 'value' || typeof pattern.args !== 'string') return [];
  try {
    compileRegex(pattern.args);
    return [];
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return [{ at: pattern.range.start, message: 'invalid matches argument' }];
  }
};

/** The items of a list, or the values of a map, have one type, but for those that a format prints. */
const mixedIssue = (node: ASTNode, formatted: ReadonlySet<ASTNode>): Issue[] => {
  if (formatted.has(node) || (node.op !== 'list' && node.op !== 'map')) return [];
  const items = node.op === 'list' ? node.args : node.args.map(([, value]) => value);
  const [first, ...others] = items.filter((item) => !isOpen(shownType(item)));
  const other = first && others.find((item) => shownType(item) !== shownType(first));
  if (!first || !other) return [];
  const message = `expected type '${shownType(first)}' but found '${shownType(other)}'`;
  return [{ at: other.range.start, message }];
};

const formattedLists = (nodes: readonly ASTNode[]): Set<ASTNode> =>
  new Set(nodes.flatMap((node) => (node.op === 'rcall' && node.args[0] === 'format' ? node.args[2] : [])));

/** What the library lets pass and cel-go refuses. */
export const strictIssues = (nodes: readonly ASTNode[]): Issue[] => {
  const formatted = formattedLists(nodes);
  return nodes.flatMap((node) => {
    if (isMixedEquality(node) || isMixedArithmetic(node) || isInText(node)) return [overloadIssue(node)];
    return [...foreignIssue(node), ...patternIssue(node), ...mixedIssue(node, formatted)];
  });
};
