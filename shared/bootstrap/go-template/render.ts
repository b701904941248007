import { type Node, parseTemplate } from './parse.ts';
import type { Command, Operand, Pipe } from './parse-pipe.ts';
import { TemplateError } from './scan.ts';
import { BUILTINS, isTruth, memberOf, printed, type Value } from './values.ts';

/** `dot` is what `.` means, `root` what `$` means. */
interface Scope {
  dot: Value;
  root: Value;
}

const operandValue = (operand: Operand, scope: Scope): Value => {
  if ('constant' in operand) return operand.constant;
  return 'pipe' in operand ? evaluate(operand.pipe, scope) : memberOf(scope[operand.of], operand.path);
};

/** `and` and `or` end with the value that decides, and do not look at those behind it. */
const decide = (isOr: boolean, operands: readonly Operand[], piped: readonly Value[], scope: Scope): Value => {
  let value: Value;
  for (const operand of operands) {
    value = operandValue(operand, scope);
    if (isTruth(value) === isOr) return value;
  }
  return piped.length > 0 ? piped[0] : value;
};

const run = (command: Command, piped: readonly Value[], scope: Scope): Value => {
  if (!('call' in command)) return operandValue(command.operand, scope);
  const { call, operands } = command;
  const count = operands.length + piped.length;
  const { takes: [least, most] = [0, 0], run: builtin } = BUILTINS[call] ?? {};
  if (count < least || count > most) throw new TemplateError(`calls ${call} with ${count} arguments`);
  if (!builtin) return decide(call === 'or', operands, piped, scope);
  return builtin(...operands.map((operand) => operandValue(operand, scope)), ...piped);
};

const evaluate = (pipe: Pipe, scope: Scope): Value =>
  pipe.reduce<Value[]>((piped, command) => [run(command, piped, scope)], [])[0];

const renderNodes = (nodes: readonly Node[], scope: Scope): string =>
  nodes
    .map((node) => {
      if ('text' in node) return node.text;
      const value = evaluate(node.pipe, scope);
      if (!('branch' in node)) return printed(value);
      if (!isTruth(value)) return renderNodes(node.otherwise, scope);
      return renderNodes(node.then, node.branch === 'with' ? { ...scope, dot: value } : scope);
    })
    .join('');

/**
 * Renders a template of Go's text/template, of which a part is known: fields, `$`, constants, `if`, `with`, `else`,
 * pipes, parentheses, comments, trimming, and the functions `and or not eq ne lt le gt ge len printf`. That part means
 * what it means in Go (a conformance test asks Go). Throws TemplateError, without a word of the template but the names of
 * functions, keywords and fields, for anything else.
 */
export const renderGoTemplate = (template: string, data: Value): string =>
  renderNodes(parseTemplate(template), { dot: data, root: data });
