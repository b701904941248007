/**
 * The tokens of a label selector (https://kubernetes.io/docs/concepts/overview/working-with-objects/labels). `in` and
 * `notin` are operators only where the grammar allows an operator; elsewhere they are ordinary keys and values.
 */
export type TokenKind = 'identifier' | 'end' | ',' | '(' | ')' | '!' | '=' | '==' | '!=' | '>' | '<' | 'in' | 'notin';

export interface Token {
  kind: TokenKind;
  text: string;
}

const WHITE = /[ \t\r\n]*/y;
const SYMBOL = /==|!=|[=!(),<>]/y;
const WORD = /[^ \t\r\n=!(),<>]+/y;

const kindOf = (word: string): TokenKind => (word === 'in' || word === 'notin' ? word : 'identifier');

/** Splits any string into tokens, followed by an `end` token. */
export const tokenize = (text: string): Token[] => {
  const tokens: Token[] = [];
  let position = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position;
    const found = pattern.exec(text)?.[0];
    position += found?.length ?? 0;
    return found;
  };
  for (;;) {
    take(WHITE);
    if (position >= text.length) return [...tokens, { kind: 'end', text: '' }];
    const symbol = take(SYMBOL);
    if (symbol !== undefined) tokens.push({ kind: symbol as TokenKind, text: symbol });
    const word = symbol === undefined ? take(WORD) : undefined;
    if (word !== undefined) tokens.push({ kind: kindOf(word), text: word });
  }
};
