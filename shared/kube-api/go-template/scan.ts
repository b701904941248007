/** What a template that cannot be rendered is refused with; never a part of its text, which may be secret. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/** Text, or the contents of two pairs of braces, split into words. */
export type Piece = { text: string } | { words: Word[] };

export type Word =
  /** `chain`: fields of the preceding parenthesized value. */
  | { kind: 'name' | 'field' | 'chain' | 'variable' | 'symbol'; text: string }
  /** Integers are bigints: Go does not compare them with the numbers of JSON, which are floats. */
  | { kind: 'constant'; value: string | number | bigint | boolean | null };

const ACTION = /\{\{(-\s)?([\s\S]*?)(\s-)?\}\}/g;
const COMMENT = /^\s*\/\*[\s\S]*?\*\/\s*$/;
const WORD =
  /\s*(?:("(?:[^"\\\n]|\\.)*")|`([^`]*)`|(-?\d+(?:\.\d+)?)(?![\w.])|((?:\.[A-Za-z_]\w*)+|\.)(?!\w)|(\$\w*(?:\.[A-Za-z_]\w*)*)|([A-Za-z_]\w*)|(:=|[|(),=]))/y;

/** A string of Go in JSON's terms; the escapes that only Go knows are refused. */
const unquote = (text: string): string => {
  try {
    return String(JSON.parse(text));
  } catch {
    throw new TemplateError('has a string with an escape that is not supported here; use \\n, \\t, \\", \\\\ or \\u');
  }
};

const wordOf = ([, quoted, raw, number, field, variable, name, symbol]: RegExpExecArray): Word => {
  if (quoted !== undefined) return { kind: 'constant', value: unquote(quoted) };
  if (raw !== undefined) return { kind: 'constant', value: raw };
  if (number !== undefined) return { kind: 'constant', value: number.includes('.') ? Number(number) : BigInt(number) };
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

/** Cuts a template into its text and its actions; `{{- ` and ` -}}` take the space beside them away, comments go. */
export const scan = (template: string): Piece[] => {
  const pieces: Piece[] = [];
  let [from, trims] = [0, false];
  const addText = (text: string, trimsEnd: boolean): void => {
    const start = trims ? text.replace(/^[ \t\r\n]+/, '') : text;
    pieces.push({ text: trimsEnd ? start.replace(/[ \t\r\n]+$/, '') : start });
  };
  for (const found of template.matchAll(ACTION)) {
    const [whole, before, action = '', after] = found;
    addText(template.slice(from, found.index), before !== undefined);
    from = found.index + whole.length;
    trims = after !== undefined;
    const line = template.slice(0, found.index).split('\n').length;
    if (!COMMENT.test(action)) pieces.push({ words: wordsOf(action, line) });
  }
  const rest = template.slice(from);
  if (rest.includes('{{')) throw new TemplateError('has an action that does not end');
  addText(rest, false);
  return pieces;
};
