import { Buffer } from 'node:buffer';
import { quote } from '../../quote.ts';
import { CelError } from '../value.ts';

/** The parts of a URL as Go's net/url keeps them. */
export interface UrlParts {
  scheme: string;
  /** Includes the port. */
  host: string;
  /** Escaped. */
  path: string;
  query: string;
}

type Fail = (why: string) => never;

const FAULT = 'URL parse error during conversion from string: parse';

/** Characters that a host may contain unescaped, besides letters and digits; brackets are checked earlier. */
const HOST = /^(?:[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"\u0080-\uffff]|%[0-9A-Fa-f]{2})*$/;

const NOT_PATH = /[^A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]/gu;

/** Returns the path with all necessary escapes. */
const escapedPath = (path: string): string => path.replace(NOT_PATH, (letter) => encodeURIComponent(letter));

const checkEscapes = (part: string, fail: Fail): void => {
  const [bad] = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(part) ?? [];
  if (bad !== undefined) fail(`invalid URL escape ${quote(bad)}`);
};

const readHost = (authority: string, fail: Fail): string => {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const port = host.startsWith('[') ? host.slice(host.indexOf(']') + 1) : host.slice(Math.max(host.indexOf(':'), 0));
  if (host.startsWith('[') && !host.includes(']')) fail("missing ']' in host");
  const isPort = host.startsWith('[') ? /^(?::\d*)?$/.test(port) : !host.includes(':') || /^:\d*$/.test(port);
  if (!isPort) fail(`invalid port ${quote(port)} after host`);
  checkEscapes(host, fail);
  const [bad] = HOST.test(host) ? [] : [...host].filter((letter) => !HOST.test(letter));
  if (bad !== undefined) fail(`invalid character ${quote(bad)} in host name`);
  return host;
};

/** Returns the scheme of an absolute URI; empty for a path. */
const readScheme = (text: string, fail: Fail): string => {
  const [, scheme = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text) ?? [];
  if (scheme === '' && text.startsWith(':')) fail('missing protocol scheme');
  return scheme;
};

/** Parses what follows the scheme, without the query. */
const readRest = (rest: string, scheme: string, fail: Fail): Pick<UrlParts, 'host' | 'path'> => {
  if (!rest.startsWith('/')) return scheme === '' ? fail('invalid URI for request') : { host: '', path: '' };
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'));
  const [, authority = '', path = ''] = hasAuthority ? (/^\/\/([^/]*)(.*)$/s.exec(rest) ?? []) : ['', '', rest];
  const host = readHost(authority, fail);
  checkEscapes(path, fail);
  return { host, path: escapedPath(path) };
};

/** Parses an absolute URI or an absolute path as Go's url.ParseRequestURI does. Throws CelError. */
export const readUrl = (text: string): UrlParts => {
  const fail: Fail = (why) => {
    throw new CelError(`${FAULT} ${quote(text)}: ${why}`);
  };
  if (/\p{Cc}/u.test(text.replace(/[\u0080-\u009f]/g, ''))) fail('net/url: invalid control character in URL');
  if (text === '') fail('empty url');
  if (text === '*') return { scheme: '', host: '', path: '*', query: '' };
  const scheme = readScheme(text, fail);
  const [whole = ''] = text.split('#');
  const [rest = '', ...queries] = (scheme === '' ? whole : whole.slice(scheme.length + 1)).split('?');
  return { scheme: scheme.toLowerCase(), ...readRest(rest, scheme, fail), query: queries.join('?') };
};

const decoded = (text: string): string | undefined => {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  const bytes = text
    .replaceAll('+', ' ')
    .replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
};

/** Returns the query's values by name, without pairs that cannot be parsed. */
export const readQuery = (query: string): Map<string, string[]> => {
  const values = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const at = pair.indexOf('=');
    const [name, value] = (at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]).map(decoded);
    if (name !== undefined && value !== undefined) values.set(name, [...(values.get(name) ?? []), value]);
  }
  return values;
};
