import { Buffer } from 'node:buffer';
import { type CelValue, Uint } from '../value.ts';
import { SyntaxFault } from './issue.ts';
import type { Token } from './tokens.ts';

const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;

const integer = ({ text, at }: Token, sign: string): bigint => {
  const value = sign === '-' ? -BigInt(text) : BigInt(text);
  if (value > MAX_INT || value < -MAX_INT - 1n) throw new SyntaxFault(at - sign.length, 'invalid int literal');
  return value;
};

const unsigned = ({ text, at }: Token): Uint => {
  const value = BigInt(text.slice(0, -1));
  if (value > MAX_UINT) throw new SyntaxFault(at, 'invalid uint literal');
  return new Uint(value);
};

const double = ({ text, at }: Token, sign: string): number => {
  const value = Number(`${sign}${text}`);
  if (!Number.isFinite(value)) throw new SyntaxFault(at - sign.length, 'invalid double literal');
  return value;
};

const LETTERS: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '?': '?',
};

const ESCAPE = /\\(?:([xX][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|(.))/gs;

const isScalar = (point: number): boolean => point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);

/** Replaces escape sequences. In bytes, each escaped byte becomes one character below 256. */
const withoutEscapes = (text: string, at: number, isBytes: boolean): string =>
  text.replace(ESCAPE, (_, hex?: string, short?: string, long?: string, octal?: string, letter?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex.slice(1), 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    const unicode = short ?? long;
    if (unicode === undefined) {
      const known = LETTERS[letter ?? ''];
      if (known === undefined) throw new SyntaxFault(at, 'unable to unescape string');
      return known;
    }
    const point = Number.parseInt(unicode, 16);
    if (isBytes) throw new SyntaxFault(at, 'unable to unescape string');
    if (!isScalar(point)) throw new SyntaxFault(at, 'invalid unicode code point');
    return String.fromCodePoint(point);
  });

/** Returns the content between the quotes. */
const contentOf = (token: Token, text: string, isBytes: boolean): string => {
  const isRaw = /^[rR]/.test(text);
  const quoted = (isRaw ? text.slice(1) : text).replace(/\r\n?/g, '\n');
  const width = quoted.length >= 6 && /^("""|''')/.test(quoted) ? 3 : 1;
  const content = quoted.slice(width, -width);
  return isRaw ? content : withoutEscapes(content, token.at, isBytes);
};

/** Unescaped characters are encoded as UTF-8; each escape sequence is one byte. */
const bytes = (token: Token): Uint8Array => {
  const text = token.text.slice(1);
  const isRaw = /^[rR]/.test(text);
  const parts = isRaw ? [] : text.split(/(\\(?:[xX][0-9a-fA-F]{2}|[0-3][0-7]{2}))/);
  if (parts.length <= 1) return Buffer.from(contentOf(token, text, true));
  const width = /^("""|''')/.test(text) && text.length >= 6 ? 3 : 1;
  const inner = text.slice(width, -width).split(/(\\(?:[xX][0-9a-fA-F]{2}|[0-3][0-7]{2}))/);
  return Buffer.concat(
    inner.map((part, index) => Buffer.from(withoutEscapes(part, token.at, true), index % 2 === 1 ? 'latin1' : 'utf8')),
  );
};

/** Returns the value of a literal. `sign` is a minus that precedes a number. Throws SyntaxFault. */
export const literalOf = (token: Token, sign = ''): CelValue | undefined => {
  switch (token.kind) {
    case 'int':
      return integer(token, sign);
    case 'uint':
      return unsigned(token);
    case 'double':
      return double(token, sign);
    case 'string':
      return contentOf(token, token.text, false);
    case 'bytes':
      return bytes(token);
    case 'name':
      if (token.text === 'null') return null;
      return token.text === 'true' || token.text === 'false' ? token.text === 'true' : undefined;
    default:
      return undefined;
  }
};
