/** One simple command of a shell text, and the condition under which it runs. */
export interface SimpleCommand {
  words: string[];
  /** `always`, or only if the previous command succeeded (`&&`) or failed (`||`). */
  when: 'always' | 'success' | 'failure';
  /** `> file` or `>> file`. */
  output?: { path: string; append: boolean };
  /** `< file`. */
  input?: string;
  /** True for the condition of an `until` loop or a `while !` loop: it is repeated until it succeeds. */
  untilSuccess: boolean;
}

type Token = { type: 'word' | 'operator'; text: string };

const isOperator = (token: Token, pattern: RegExp): boolean => token.type === 'operator' && pattern.test(token.text);

/** In order: blanks and comments, operators, words with their quotes. */
const TOKEN =
  /(?<skip>(?:[ \t\r]|\\\n)+|#[^\n]*)|(?<operator>\n|;;?|&&|\|\||\d?>&[\d-]|&>>?|\d?>>?|<<<|<<-?|<|\||&|[()])|(?<word>(?:\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|[^\s;&|<>()'"\\])+)/y;

/** Removes the quotes. Variables and substitutions stay as they are written, because nothing here expands them. */
const unquote = (word: string): string =>
  word.replace(/'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|\\([\s\S])/g, (_all, single, double, escaped) => {
    if (single !== undefined) return single;
    if (double === undefined) return escaped === '\n' ? '' : escaped;
    return double.replace(/\\(["\\$`\n])/g, (_pair: string, c: string) => (c === '\n' ? '' : c));
  });

/** The index after the here-document whose text starts after the line break at `from`: it is input, not commands. */
const skipHereDocument = (script: string, from: number, delimiter: string): number => {
  const literal = delimiter.replace(/[^\w]/g, '\\$&');
  const end = new RegExp(`\\n\\t*${literal}[ \\t]*(?=\\n|$)`, 'g');
  end.lastIndex = from;
  return end.exec(script) ? end.lastIndex : script.length;
};

const tokenAt = (script: string, at: number): Token | undefined => {
  TOKEN.lastIndex = at;
  const groups = TOKEN.exec(script)?.groups;
  if (!groups) throw new Error(`line ${script.slice(0, at).split('\n').length}: unterminated quoted string`);
  if (groups.word !== undefined) return { type: 'word', text: unquote(groups.word) };
  return groups.operator === undefined ? undefined : { type: 'operator', text: groups.operator };
};

const tokenize = (script: string): Token[] => {
  const tokens: Token[] = [];
  const hereDocuments: string[] = [];
  let at = 0;
  while (at < script.length) {
    const token = tokenAt(script, at);
    at = TOKEN.lastIndex;
    if (!token) continue;
    const last = tokens.at(-1);
    if (token.type === 'word' && last && isOperator(last, /^<<-?$/)) hereDocuments.push(token.text);
    if (isOperator(token, /^\n$/)) {
      for (const delimiter of hereDocuments.splice(0)) at = skipHereDocument(script, at - 1, delimiter);
    }
    tokens.push(token);
  }
  return tokens;
};

const KEYWORDS = new Set(['if', 'then', 'else', 'elif', 'fi', 'while', 'until', 'do', 'done', '{', '}', '!', 'time']);
/** Keywords whose words are not a command: `for x in a b`, `case x in`. */
const HEADERS = new Set(['for', 'case', 'select', 'function', 'esac']);
/** `2>&1` takes no word after it. */
const COMPLETE = /&[\d-]$/;
const REDIRECTION = /^(?:&|\d)?>>?$/;

/** Splits off leading keywords; the rest is the command itself, empty for a mere keyword. */
const stripKeywords = (words: string[]): { words: string[]; untilSuccess: boolean } => {
  const first = words.findIndex((word) => !KEYWORDS.has(word));
  const keywords = first < 0 ? words : words.slice(0, first);
  const rest = first < 0 ? [] : words.slice(first);
  const untilSuccess = keywords.includes('until') || (keywords.includes('while') && keywords.includes('!'));
  return { words: HEADERS.has(rest[0] ?? '') ? [] : rest, untilSuccess };
};

/** The meaning of a redirection and the word after it. The target of errors does not matter. */
const redirection = (operator: string, path: string): Pick<SimpleCommand, 'output' | 'input'> => {
  if (operator === '<') return { input: path };
  const writes = REDIRECTION.test(operator) && !operator.startsWith('2');
  return writes ? { output: { path, append: operator.endsWith('>>') } } : {};
};

const makeCommand = (tokens: readonly Token[], when: SimpleCommand['when']): SimpleCommand => {
  const words: string[] = [];
  const redirections: ReturnType<typeof redirection> = {};
  let operator: string | undefined;
  for (const token of tokens) {
    if (token.type === 'operator') operator = COMPLETE.test(token.text) ? undefined : token.text;
    else if (operator === undefined) words.push(token.text);
    else {
      Object.assign(redirections, redirection(operator, token.text));
      operator = undefined;
    }
  }
  return { ...stripKeywords(words), when, ...redirections };
};

const SEPARATORS = new Set(['\n', ';', ';;', '&&', '||', '|', '&', '(', ')']);

const after = (separator: string): SimpleCommand['when'] => {
  if (separator === '&&') return 'success';
  return separator === '||' ? 'failure' : 'always';
};

/**
 * The simple commands of a shell text, in order. Control flow is not executed: the commands in an `if`, a loop or a
 * function appear in their textual position. Throws if a quote is not closed.
 */
export const parseShell = (script: string): SimpleCommand[] => {
  const commands: SimpleCommand[] = [];
  let pending: Token[] = [];
  let when: SimpleCommand['when'] = 'always';
  const flush = (): void => {
    const command = makeCommand(pending, when);
    if (command.words.length > 0) commands.push(command);
    pending = [];
  };
  for (const token of tokenize(script)) {
    if (token.type === 'word' || !SEPARATORS.has(token.text)) {
      pending.push(token);
      continue;
    }
    const empty = pending.length === 0;
    flush();
    // A line break after && or || continues the list.
    if (!(empty && token.text === '\n')) when = after(token.text);
  }
  flush();
  return commands;
};
