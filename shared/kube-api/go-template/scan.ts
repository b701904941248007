/** The error for a template that cannot be rendered. Never contains text of the template, which may be secret. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/** Literal text, or the words between a pair of `{{` and `}}`. */
export type Piece = { text: string } | { words: Word[] };

export type Word =
  /** `chain`: fields of the preceding parenthesized value. */
  | { kind: 'name' | 'field' | 'chain' | 'variable' | 'symbol'; text: string }
  /** Integers are bigints because Go does not compare them with JSON numbers, which are floats. */
  | { kind: 'constant'; value: string | number | bigint | boolean | null };

const COMMENT = /^\s*\/\*[\s\S]*?\*\/\s*$/;
const WORD =
  /\s*(?:("(?:[^"\\\n]|\\.)*")|`([^`]*)`|(-?\d+(?:\.\d+)?)(?![\w.])|((?:\.[A-Za-z_]\w*)+|\.)(?!\w)|(\$\w*(?:\.[A-Za-z_]\w*)*)|([A-Za-z_]\w*)|(:=|[|(),=]))/y;

/** Parses a Go string as JSON. Escapes that only Go has are errors. */
const unquote = (text: string): string => {
  try {
    return String(JSON.parse(text));
  } catch {
    throw new TemplateError('has a string with an escape that is not supported here; use \\n, \\t, \\", \\\\ or \\u');
  }
};

/** The length of a 64-bit integer, including its sign. */
const MOST_DIGITS = 20;

const numberOf = (text: string): number | bigint => {
  if (text.includes('.')) return Number(text);
  if (text.length > MOST_DIGITS) throw new TemplateError('has a number that is too large');
  return BigInt(text);
};

const wordOf = ([, quoted, raw, number, field, variable, name, symbol]: RegExpExecArray): Word => {
  if (quoted !== undefined) return { kind: 'constant', value: unquote(quoted) };
  if (raw !== undefined) return { kind: 'constant', value: raw };
  if (number !== undefined) return { kind: 'constant', value: numberOf(number) };
  if (field !== undefined) return { kind: 'field', text: field };
  if (variable !== undefined) return { kind: 'variable', text: variable };
  if (name === 'true' || name === 'false') return { kind: 'constant', value: name === 'true' };
  if (name === 'nil') return { kind: 'constant', value: null };
  return name === undefined ? { kind: 'symbol', text: symbol ?? '' } : { kind: 'name', text: name };
};

const wordsOf = (action: string, line: number): Word[] => {
  const words: Word[] = [];
  const text = action.trimEnd();
  for (WORD.lastIndex = 0; WORD.lastIndex < text.length; ) {
    const found = WORD.exec(text);
    if (!found) throw new TemplateError(`has an action in line ${line} that is not supported here`);
    const word = wordOf(found);
    const isChain = word.kind === 'field' && !/^\s/.test(found[0]) && text[found.index - 1] === ')';
    words.push(isChain ? { kind: 'chain', text: word.text } : word);
  }
  if (words.length === 0) throw new TemplateError(`has an empty action in line ${line}`);
  return words;
};

const SPACE: ReadonlySet<string> = new Set(' \t\r\n');

/** A regular expression that ends in `$` would take quadratic time for a long run of spaces. */
const withoutSpaceAtEnd = (text: string): string => {
  let end = text.length;
  while (SPACE.has(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

interface Action {
  /** The position of the opening braces; `end` is the position after the closing ones. */
  start: number;
  end: number;
  contents: string;
  trimsBefore: boolean;
  trimsAfter: boolean;
}

/** Returns the next action at or after `from`; undefined if there is none, or it is not closed. */
const actionFrom = (template: string, from: number): Action | undefined => {
  const start = template.indexOf('{{', from);
  const end = start < 0 ? -1 : template.indexOf('}}', start + 2);
  if (end < 0) return undefined;
  const whole = template.slice(start + 2, end);
  const trimsBefore = /^-\s/.test(whole);
  const contents = trimsBefore ? whole.slice(2) : whole;
  const trimsAfter = /\s-$/.test(contents);
  return {
    start,
    end: end + 2,
    contents: trimsAfter ? contents.slice(0, -2) : contents,
    trimsBefore,
    trimsAfter,
  };
};

/** Splits a template into text and actions. `{{- ` and ` -}}` trim adjacent white space, and comments are dropped. */
export const scan = (template: string): Piece[] => {
  const pieces: Piece[] = [];
  let [from, trims, line] = [0, false, 1];
  const addText = (text: string, trimsEnd: boolean): void => {
    const start = trims ? text.replace(/^[ \t\r\n]+/, '') : text;
    pieces.push({ text: trimsEnd ? withoutSpaceAtEnd(start) : start });
  };
  for (let next = actionFrom(template, 0); next; next = actionFrom(template, from)) {
    addText(template.slice(from, next.start), next.trimsBefore);
    line += linesIn(template.slice(from, next.start));
    if (!COMMENT.test(next.contents)) pieces.push({ words: wordsOf(next.contents, line) });
    line += linesIn(template.slice(next.start, next.end));
    [from, trims] = [next.end, next.trimsAfter];
  }
  const rest = template.slice(from);
  if (rest.includes('{{')) throw new TemplateError('has an action that does not end');
  addText(rest, false);
  return pieces;
};

const linesIn = (text: string): number => text.split('\n').length - 1;
