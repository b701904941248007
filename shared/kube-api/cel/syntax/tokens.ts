import { SyntaxFault } from './issue.ts';

/** A token; `text` is its source text. */
export interface Token {
  kind: 'name' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'sign' | 'end';
  text: string;
  at: number;
}

const SPACE = /(?:[ \t\r\n\f]|\/\/[^\n]*)+/y;

const TRIPLE = String.raw`"""(?:\\(?:.|\n)|[^\\])*?"""|'''(?:\\(?:.|\n)|[^\\])*?'''`;
const SINGLE = String.raw`"(?:\\[^\n\r]|[^\\"\n\r])*"|'(?:\\[^\n\r]|[^\\'\n\r])*'`;
const RAW = String.raw`[rR](?:"""[^]*?"""|'''[^]*?'''|"[^"\n\r]*"|'[^'\n\r]*')`;
const STRING = `${TRIPLE}|${RAW}|${SINGLE}`;

/** In the order in which they are tried: a pattern precedes any shorter one that matches at the same position. */
const KINDS: readonly [Token['kind'], RegExp][] = [
  ['bytes', new RegExp(`[bB](?:${STRING})`, 'y')],
  ['string', new RegExp(STRING, 'y')],
  ['double', /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)/y],
  ['uint', /(?:0x[0-9a-fA-F]+|\d+)[uU]/y],
  ['int', /(?:0x[0-9a-fA-F]+|\d+)/y],
  ['name', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['sign', /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y],
];

const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
};

const nextToken = (text: string, at: number): Token => {
  for (const [kind, pattern] of KINDS) {
    const found = matchAt(pattern, text, at);
    if (found !== undefined) return { kind, text: found, at };
  }
  const letter = String.fromCodePoint(text.codePointAt(at) ?? 0);
  throw new SyntaxFault(at, `Syntax error: token recognition error at: '${letter}'`);
};

/** Splits an expression into tokens, followed by an end token. Throws SyntaxFault. */
export const tokensOf = (text: string): Token[] => {
  const tokens: Token[] = [];
  let at = matchAt(SPACE, text, 0)?.length ?? 0;
  while (at < text.length) {
    const token = nextToken(text, at);
    tokens.push(token);
    at += token.text.length;
    at += matchAt(SPACE, text, at)?.length ?? 0;
  }
  return [...tokens, { kind: 'end', text: '<EOF>', at: text.length }];
};
