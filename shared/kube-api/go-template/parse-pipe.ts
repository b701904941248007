import type { Functions } from './functions.ts';
import { titleOf } from './names.ts';
import { TemplateError, type Word } from './scan.ts';

export type Constant = string | number | bigint | boolean | null;
/** `path`: fields behind what is named. `variable`: without its `$`; empty for `$` itself. */
export type Operand =
  | { constant: Constant }
  | { path: string; of: 'dot' }
  | { path: string; variable: string }
  | { pipe: Pipe; path: string };
/** A function with its arguments, or one operand. */
export type Command = { call: string; operands: Operand[] } | { operand: Operand };
/** Commands, each of which gets the value of the previous one as its last argument. */
export type Pipe = Command[];

export const isSymbol = (word: Word | undefined, symbol: string): boolean =>
  word?.kind === 'symbol' && word.text === symbol;

/** Reads words from the left, and removes them from `words`. */
const readOperand = (words: Word[], functions: Functions): Operand => {
  const word = words.shift();
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
  if (!isSymbol(words.shift(), ')')) throw new TemplateError('has a parenthesis that is not closed');
  const chain = words[0]?.kind === 'chain' ? words.shift() : undefined;
  return { pipe, path: chain?.kind === 'chain' ? chain.text : '' };
};

const ends = (word: Word | undefined): boolean => word === undefined || isSymbol(word, '|') || isSymbol(word, ')');

const readCommand = (words: Word[], functions: Functions): Command => {
  const [first] = words;
  if (first?.kind !== 'name') return { operand: readOperand(words, functions) };
  words.shift();
  if (!Object.hasOwn(functions, first.text))
    throw new TemplateError(`uses ${titleOf(first.text)}, which is not supported here`);
  const operands: Operand[] = [];
  while (!ends(words[0])) operands.push(readOperand(words, functions));
  return { call: first.text, operands };
};

const readPipe = (words: Word[], functions: Functions): Pipe => {
  const pipe = [readCommand(words, functions)];
  while (isSymbol(words[0], '|')) {
    words.shift();
    const command = readCommand(words, functions);
    if (!('call' in command)) throw new TemplateError('pipes a value into something that is not a function');
    pipe.push(command);
  }
  return pipe;
};

/** The pipeline that an action consists of, and nothing behind it. */
export const parsePipe = (words: readonly Word[], functions: Functions): Pipe => {
  const left = [...words];
  const pipe = readPipe(left, functions);
  if (left.length > 0)
    throw new TemplateError('has a value after something that is not a function, or a superfluous parenthesis');
  return pipe;
};
