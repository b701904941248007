import { Buffer } from 'node:buffer';
import { quote } from '../../quote.ts';
import { CelError } from '../value.ts';

/** A part of a URL; each has its own characters that need no escape. */
type Part = 'path' | 'host' | 'zone' | 'user' | 'query' | 'fragment';

const HOST = /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/;

const SAFE: Readonly<Record<Part, RegExp>> = {
  path: /[A-Za-z0-9\-_.~$&+,/:;=@]/,
  host: HOST,
  zone: HOST,
  user: /[A-Za-z0-9\-_.~$&+,;=]/,
  query: /[A-Za-z0-9\-_.~]/,
  fragment: /[A-Za-z0-9\-_.~$&+,/:;=@?!()*]/,
};

/** Bytes as a string with one character for each, because escapes stand for bytes, not for characters. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

const textOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();

const byteOf = (code: string): string => String.fromCharCode(Number.parseInt(code.slice(1), 16));

/** In a host, only a byte outside ASCII may be escaped. A zone may also escape a space, and any character of hosts. */
const mayEscape = (code: string, part: Part): boolean => {
  if (code === '%25' || (part !== 'host' && part !== 'zone')) return true;
  const byte = byteOf(code);
  return part === 'host' ? byte >= '\u0080' : byte === ' ' || HOST.test(byte);
};

const check = (bytes: string, part: Part): void => {
  for (const [token] of bytes.matchAll(/%.{0,2}|[^%]/gs)) {
    if (token.startsWith('%')) {
      if (!/^%[0-9A-Fa-f]{2}$/.test(token) || !mayEscape(token, part)) {
        throw new CelError(`invalid URL escape ${quote(textOf(token))}`);
      }
    } else if ((part === 'host' || part === 'zone') && token < '\u0080' && !HOST.test(token)) {
      throw new CelError(`invalid character ${quote(token)} in host name`);
    }
  }
};

/** Replaces the escapes in a part of a URL as Go's net/url does. Throws CelError for an invalid one. */
export const unescapePart = (text: string, part: Part): string => {
  const bytes = bytesOf(text);
  check(bytes, part);
  const plain = part === 'query' ? bytes.replaceAll('+', ' ') : bytes;
  return textOf(plain.replace(/%[0-9A-Fa-f]{2}/g, byteOf));
};

const escaped = (bytes: string, part: Part): string =>
  bytes.replace(/./gs, (byte) =>
    SAFE[part].test(byte) ? byte : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );

/** Escapes every byte that the part cannot contain. */
export const escapePart = (text: string, part: Part): string => escaped(bytesOf(text), part);

/** Replaces the escapes in a valid part with those that it needs. */
export const normalizePart = (text: string, part: Part): string =>
  escaped(bytesOf(text).replace(/%[0-9A-Fa-f]{2}/g, byteOf), part);
