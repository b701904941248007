import type { ASTNode, TypeError as CelTypeError, Environment, ParseError } from '@marcbachmann/cel-js';
import { interpret } from './interpret.ts';
import { type Issue, issueOf, showIssue, shownType } from './issue.ts';
import { Meter } from './meter.ts';
import { strictIssues } from './strict.ts';
import type { CelValue } from './value.ts';

/** An expression that was checked. */
export interface Program {
  /** Its type in cel-go's notation. */
  type: string;
  usesOldSelf: boolean;
  /** Its value, and what it cost. Throws CelError, and CostError where one call may not cost as much. */
  run(scope: ReadonlyMap<string, CelValue>): { value: CelValue; cost: number };
}

/** The nodes of an expression, the root first. */
const nodesOf = (node: ASTNode): ASTNode[] => {
  const inner = (part: unknown): ASTNode[] => {
    if (Array.isArray(part)) return part.flatMap(inner);
    return typeof part === 'object' && part !== null && 'op' in part ? nodesOf(part as ASTNode) : [];
  };
  return [node, ...inner(node.args)];
};

/** The library does not look at the field that `has` asks for; a variable of a macro is unknown outside of it. */
const presenceIssues = (environment: Environment, nodes: readonly ASTNode[]): Issue[] =>
  nodes.flatMap((node) => {
    const field = node.op === 'call' && node.args[0] === 'has' ? node.args[1][0] : undefined;
    if (!field) return [];
    const { valid, error } = environment.check(field.input.slice(field.range.start, field.range.end));
    if (valid || !error || error.code === 'unknown_variable') return [];
    return [{ at: node.input.indexOf('(', node.range.start), message: issueOf(error).message }];
  });

/** Checks an expression; the text of all that is wrong where it is not valid. */
export const compile = (environment: Environment, expression: string): Program | { fault: string } => {
  try {
    const parsed = environment.parse(expression);
    const { valid, error } = parsed.check();
    if (!valid && error) return { fault: `compilation failed: ${showIssue(expression, issueOf(error))}` };
    const { ast } = parsed;
    const nodes = nodesOf(ast);
    const issues = [...strictIssues(nodes), ...presenceIssues(environment, nodes)];
    if (issues.length > 0) {
      return { fault: `compilation failed: ${issues.map((issue) => showIssue(expression, issue)).join('\n')}` };
    }
    return {
      type: shownType(ast),
      usesOldSelf: nodes.some((node) => node.op === 'id' && node.args === 'oldSelf'),
      run: (scope) => {
        const meter = new Meter();
        return { value: interpret(ast, scope, meter), cost: meter.spent };
      },
    };
  } catch (error) {
    if (!isParseError(error)) throw error;
    return { fault: `compilation failed: ${showIssue(expression, issueOf(error))}` };
  }
};

const isParseError = (error: unknown): error is ParseError | CelTypeError =>
  error instanceof Error && error.name === 'ParseError';
