import { isIPv4, isIPv6 } from 'node:net';
import { quote } from '../../quote.ts';
import { CelError } from '../value.ts';
import { escapePart, normalizePart, unescapePart } from './url-escape.ts';

/** The parts of a URL as Go's net/url keeps them. */
export interface UrlParts {
  scheme: string;
  /** What follows the scheme, if it does not begin with a slash. */
  opaque: string;
  /** With escapes, and a final `@`; empty without one. */
  user: string;
  /** Includes the port, without escapes. */
  host: string;
  /** Whether the URL has a scheme, but no `//`. */
  omitsHost: boolean;
  /** Escaped. */
  path: string;
  /** Includes the question mark. */
  query: string;
  /** Escaped, and includes the number sign. */
  fragment: string;
}

const EMPTY: UrlParts = {
  scheme: '',
  opaque: '',
  user: '',
  host: '',
  omitsHost: false,
  path: '',
  query: '',
  fragment: '',
};

const checkPort = (port: string): void => {
  if (!/^(?::\d*)?$/.test(port)) throw new CelError(`invalid port ${quote(port)} after host`);
};

/** Only an IPv6 address may be in brackets. Its zone begins with an escaped percent sign. */
const readBracketed = (host: string): string => {
  const end = host.lastIndexOf(']');
  if (end < 0) throw new CelError("missing ']' in host");
  const port = host.slice(end + 1);
  checkPort(port);
  const inner = host.slice(1, end);
  const at = inner.includes('%25') ? inner.indexOf('%25') : inner.length;
  const address = unescapePart(inner.slice(0, at), 'host') + unescapePart(inner.slice(at), 'zone');
  if (isIPv4(address)) throw new CelError('invalid IP-literal');
  const [number = '', ...zone] = address.split('%');
  if (!isIPv6(number) || (zone.length > 0 && zone.join('%') === '')) {
    throw new CelError(`invalid host: ParseAddr(${quote(address)}): unable to parse IP`);
  }
  return `[${address}]${port}`;
};

const readHost = (host: string, scheme: string): string => {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) throw new CelError('invalid IP-literal');
  if (bracket === 0) return readBracketed(host);
  // Other schemes may have a list of hosts with ports.
  const isStrict = scheme === 'http' || scheme === 'https';
  const colon = isStrict ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return unescapePart(host, 'host');
};

const USER = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;

const readUser = (user: string): string => {
  if (!USER.test(user)) throw new CelError('net/url: invalid userinfo');
  const colon = user.indexOf(':');
  const parts = colon < 0 ? [user] : [user.slice(0, colon), user.slice(colon + 1)];
  for (const part of parts) unescapePart(part, 'user');
  return `${parts.map((part) => normalizePart(part, 'user')).join(':')}@`;
};

const readAuthority = (authority: string, scheme: string): Pick<UrlParts, 'user' | 'host'> => {
  const at = authority.lastIndexOf('@');
  const host = readHost(authority.slice(at + 1), scheme);
  return { host, user: at < 0 ? '' : readUser(authority.slice(0, at)) };
};

/** A path that is already escaped keeps its form. */
const readPath = (path: string): string => {
  unescapePart(path, 'path');
  return /^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]*$/.test(path) ? path : normalizePart(path, 'path');
};

/** Returns the scheme of an absolute URI; empty for a path. */
const readScheme = (text: string): string => {
  if (text.startsWith(':')) throw new CelError('missing protocol scheme');
  return /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? '';
};

const readParts = (text: string): UrlParts => {
  if (/(?![\u0080-\u009f])\p{Cc}/u.test(text)) throw new CelError('net/url: invalid control character in URL');
  if (text === '') throw new CelError('empty url');
  if (text === '*') return { ...EMPTY, path: '*' };
  const written = readScheme(text);
  const scheme = written.toLowerCase();
  const [, rest = '', query = ''] = /^([^?]*)(.*)$/s.exec(written === '' ? text : text.slice(written.length + 1)) ?? [];
  if (!rest.startsWith('/')) {
    if (scheme === '') throw new CelError('invalid URI for request');
    return { ...EMPTY, scheme, opaque: rest, query };
  }
  const hasAuthority = scheme !== '' && rest.startsWith('//');
  const [, authority = '', path = ''] = hasAuthority ? (/^\/\/([^/]*)(.*)$/s.exec(rest) ?? []) : ['', '', rest];
  const of = hasAuthority ? readAuthority(authority, scheme) : {};
  return { ...EMPTY, scheme, ...of, omitsHost: scheme !== '' && !hasAuthority, path: readPath(path), query };
};

/** Adds the text of the URL to an error, as Go does. */
const aboutUrl = <T>(text: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw error instanceof CelError ? new CelError(`parse ${quote(text)}: ${error.message}`) : error;
  }
};

/** Throws CelError unless the text is an absolute URI or an absolute path (Go's url.ParseRequestURI). */
export const checkUrl = (text: string): void => {
  aboutUrl(text, () => readParts(text));
};

/** A path that begins with two slashes, but not with three, has a host only if the URL is not of a request. */
const readReference = (text: string): UrlParts => {
  const [found, host = '', path = '', query = ''] = /^\/\/(?!\/)([^/?]*)([^?]*)(.*)$/s.exec(text) ?? [];
  if (found === undefined) return readParts(text);
  return { ...EMPTY, ...readAuthority(host, ''), path: readPath(path), query };
};

/** Parses an absolute URI or an absolute path as Go's url.ParseRequestURI and url.Parse do. Throws CelError. */
export const readUrl = (text: string): UrlParts => {
  checkUrl(text);
  return aboutUrl(text, () => {
    const [, whole = '', fragment = ''] = /^([^#]*)#?(.*)$/s.exec(text) ?? [];
    const parts = readReference(whole);
    unescapePart(fragment, 'fragment');
    return fragment === '' ? parts : { ...parts, fragment: `#${normalizePart(fragment, 'fragment')}` };
  });
};

/** The URL in Go's normal form. */
export const printUrl = ({ scheme, opaque, user, host, omitsHost, path, query, fragment }: UrlParts): string => {
  const start = scheme === '' ? '' : `${scheme}:`;
  const isNamed = scheme !== '' || host !== '' || user !== '';
  const hasSlashes = isNamed && !omitsHost && (host !== '' || path !== '' || user !== '');
  const authority = `${hasSlashes ? '//' : ''}${user}${escapePart(host, 'host')}`;
  return `${start}${opaque === '' ? `${authority}${path}` : opaque}${query}${fragment}`;
};

const decoded = (text: string): string | undefined => {
  try {
    return unescapePart(text, 'query');
  } catch (error) {
    if (error instanceof CelError) return undefined;
    throw error;
  }
};

/** Returns the query's values by name, without pairs that cannot be parsed. */
export const readQuery = (query: string): Map<string, string[]> => {
  const values = new Map<string, string[]>();
  for (const pair of query.replace(/^\?/, '').split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const at = pair.indexOf('=');
    const [name, value] = (at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]).map(decoded);
    if (name === undefined || value === undefined) continue;
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return values;
};
