import { TemplateError, type Word } from './scan.ts';
import { BUILTINS } from './values.ts';

export type Operand = { constant: string | number | boolean } | { path: string; of: 'dot' | 'root' } | { pipe: Pipe };
/** A function with its arguments, or one operand. */
export type Command = { call: string; operands: Operand[] } | { operand: Operand };
/** Commands of which each gets the value of the one before it as its last argument. */
export type Pipe = Command[];

const isSymbol = (word: Word | undefined, symbol: string): boolean => word?.kind === 'symbol' && word.text === symbol;

/** Reads words from the left; `words` shrinks by what was read. */
const readOperand = (words: Word[]): Operand => {
  const word = words.shift();
  if (word?.kind === 'constant') return { constant: word.value };
  if (word?.kind === 'field') return { path: word.text, of: 'dot' };
  if (word?.kind === 'variable') {
    if (!/^\$(\.|$)/.test(word.text)) throw new TemplateError('uses a variable; only $ is supported here');
    return { path: word.text.slice(1), of: 'root' };
  }
  if (!isSymbol(word, '('))
    throw new TemplateError('has an action that lacks a value, or a function without parentheses');
  const pipe = readPipe(words);
  if (!isSymbol(words.shift(), ')')) throw new TemplateError('has a parenthesis that is not closed');
  return { pipe };
};

/** Names that Go and Helm know. Another one is not repeated: it is a piece of the template, which may hold secrets. */
const KNOWN_ELSEWHERE = [
  ...['range', 'with', 'define', 'template', 'block', 'break', 'continue'],
  ...['call', 'html', 'index', 'js', 'print', 'println', 'slice', 'urlquery'],
  ...['default', 'env', 'include', 'indent', 'nindent', 'quote', 'required', 'toYaml', 'tpl', 'trim'],
];

const titleOf = (name: string): string => (KNOWN_ELSEWHERE.includes(name) ? name : 'a function or keyword');

const readCommand = (words: Word[]): Command => {
  const [first] = words;
  if (first?.kind !== 'name') return { operand: readOperand(words) };
  words.shift();
  if (!Object.hasOwn(BUILTINS, first.text))
    throw new TemplateError(`uses ${titleOf(first.text)}, which is not supported here`);
  const operands: Operand[] = [];
  while (words.length > 0 && !isSymbol(words[0], '|') && !isSymbol(words[0], ')')) operands.push(readOperand(words));
  return { call: first.text, operands };
};

const readPipe = (words: Word[]): Pipe => {
  const pipe = [readCommand(words)];
  while (isSymbol(words[0], '|')) {
    words.shift();
    const command = readCommand(words);
    if (!('call' in command)) throw new TemplateError('pipes a value into something that is not a function');
    pipe.push(command);
  }
  return pipe;
};

/** The pipeline that an action consists of, and nothing behind it. */
export const parsePipe = (words: readonly Word[]): Pipe => {
  const left = [...words];
  const pipe = readPipe(left);
  if (left.length > 0)
    throw new TemplateError('has a value after something that is not a function, or a superfluous parenthesis');
  return pipe;
};
