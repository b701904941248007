import type { Functions } from './functions.ts';
import { titleOf } from './names.ts';
import { TemplateError, type Word } from './scan.ts';

export type Constant = string | number | bigint | boolean | null;
/** `path`: the fields selected from the operand. `variable`: its name without `$`; empty for `$` itself. */
export type Operand =
  | { constant: Constant }
  | { path: string; of: 'dot' }
  | { path: string; variable: string }
  | { pipe: Pipe; path: string };
/** A function call, or a single operand. */
export type Command = { call: string; operands: Operand[] } | { operand: Operand };
/** A sequence of commands; each passes its value to the next as the last argument. */
export type Pipe = Command[];

export const isSymbol = (word: Word | undefined, symbol: string): boolean =>
  word?.kind === 'symbol' && word.text === symbol;

/**
 * Parses an operand and removes its words. The words are reversed, because removing from the start of an array takes
 * linear time.
 */
const readOperand = (words: Word[], functions: Functions): Operand => {
  const word = words.pop();
  if (word?.kind === 'constant') return { constant: word.value };
  if (word?.kind === 'field') return { path: word.text, of: 'dot' };
  if (word?.kind === 'variable') {
    const [name = '', ...fields] = word.text.slice(1).split('.');
    return { path: fields.join('.'), variable: name };
  }
  if (word?.kind === 'name' && Object.hasOwn(functions, word.text)) {
    return { pipe: [{ call: word.text, operands: [] }], path: '' };
  }
  if (!isSymbol(word, '('))
    throw new TemplateError('has an action that lacks a value, or a function without parentheses');
  const pipe = readPipe(words, functions);
  if (!isSymbol(words.pop(), ')')) throw new TemplateError('has a parenthesis that is not closed');
  const chain = words.at(-1)?.kind === 'chain' ? words.pop() : undefined;
  return { pipe, path: chain?.kind === 'chain' ? chain.text : '' };
};

const ends = (word: Word | undefined): boolean => word === undefined || isSymbol(word, '|') || isSymbol(word, ')');

/** JavaScript passes arguments on the stack, and the parser recurses into parentheses. */
const MOST_ARGUMENTS = 1000;
const MOST_PARENTHESES = 100;

const parenthesesIn = (words: readonly Word[]): number => {
  let [level, most] = [0, 0];
  for (const word of words) {
    if (isSymbol(word, '(')) level += 1;
    if (isSymbol(word, ')')) level -= 1;
    most = Math.max(most, level);
  }
  return most;
};

const readCommand = (words: Word[], functions: Functions): Command => {
  const first = words.at(-1);
  if (first?.kind !== 'name') return { operand: readOperand(words, functions) };
  words.pop();
  if (!Object.hasOwn(functions, first.text))
    throw new TemplateError(`uses ${titleOf(first.text)}, which is not supported here`);
  const operands: Operand[] = [];
  while (!ends(words.at(-1))) operands.push(readOperand(words, functions));
  if (operands.length > MOST_ARGUMENTS)
    throw new TemplateError(`calls a function with more than ${MOST_ARGUMENTS} arguments`);
  return { call: first.text, operands };
};

const readPipe = (words: Word[], functions: Functions): Pipe => {
  const pipe = [readCommand(words, functions)];
  while (isSymbol(words.at(-1), '|')) {
    words.pop();
    const command = readCommand(words, functions);
    if (!('call' in command)) throw new TemplateError('pipes a value into something that is not a function');
    pipe.push(command);
  }
  return pipe;
};

/** Parses an action that consists of one pipeline. */
export const parsePipe = (words: readonly Word[], functions: Functions): Pipe => {
  if (parenthesesIn(words) > MOST_PARENTHESES) throw new TemplateError('has too many parentheses within each other');
  const left = words.toReversed();
  const pipe = readPipe(left, functions);
  if (left.length > 0)
    throw new TemplateError('has a value after something that is not a function, or a superfluous parenthesis');
  return pipe;
};
