import { CelError, type CelValue, type Opaque } from '../value.ts';
import { type CelFunction, define } from './define.ts';

class Url implements Opaque {
  readonly celType = 'kubernetes.URL';
  readonly url: URL;
  readonly text: string;
  constructor(text: string, url: URL) {
    this.text = text;
    this.url = url;
  }
  equals(other: Opaque): boolean {
    return other instanceof Url && other.text === this.text;
  }
}

const BASE = 'windlass-path://base';

/** An absolute URI, or an absolute path, as Go's url.ParseRequestURI takes them. */
const parse = (text: string): Url | undefined => {
  if (/[\s\p{Cc}]/u.test(text)) return undefined;
  const isPath = text.startsWith('/');
  if (!isPath && !/^[A-Za-z][A-Za-z0-9+.-]*:/.test(text)) return undefined;
  const url = URL.parse(text, isPath ? BASE : undefined);
  return url === null ? undefined : new Url(text, url);
};

const onUrl = (run: (url: URL, isPath: boolean) => CelValue) => (value: CelValue) =>
  value instanceof Url ? run(value.url, value.url.protocol === 'windlass-path:') : undefined;

/** The URL parser drops the default port of a scheme; what was written counts. */
const portOf = (text: string): string => /^[^/]*\/\/[^/?#]*?:(\d+)(?:[/?#]|$)/.exec(text)?.[1] ?? '';

const queryOf = ({ searchParams }: URL): CelValue =>
  new Map([...new Set(searchParams.keys())].map((key) => [key, searchParams.getAll(key)]));

const TYPE = 'kubernetes.URL';

/** Kubernetes' URL library (k8s.io/apiserver/pkg/cel/library/urls.go). */
export const urlFunctions: readonly CelFunction[] = [
  define('url', [`url(string): ${TYPE}`], (text) => {
    if (typeof text !== 'string') return undefined;
    const parsed = parse(text);
    if (!parsed)
      throw new CelError(
        `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
      );
    return parsed;
  }),
  define('isURL', ['isURL(string): bool'], (text) =>
    typeof text === 'string' ? parse(text) !== undefined : undefined,
  ),
  define(
    '.getScheme',
    [`${TYPE}.getScheme(): string`],
    onUrl((url, isPath) => (isPath ? '' : url.protocol.slice(0, -1))),
  ),
  define('.getHost', [`${TYPE}.getHost(): string`], (value) => {
    if (!(value instanceof Url)) return undefined;
    const port = portOf(value.text);
    if (value.url.protocol === 'windlass-path:') return '';
    return port === '' ? value.url.hostname : `${value.url.hostname}:${port}`;
  }),
  define(
    '.getHostname',
    [`${TYPE}.getHostname(): string`],
    onUrl((url, isPath) => (isPath ? '' : url.hostname.replace(/^\[|\]$/g, ''))),
  ),
  define('.getPort', [`${TYPE}.getPort(): string`], (value) => (value instanceof Url ? portOf(value.text) : undefined)),
  define('.getEscapedPath', [`${TYPE}.getEscapedPath(): string`], (value) => {
    if (!(value instanceof Url)) return undefined;
    const isBare = /^[^/]*\/\/[^/?#]*([?#]|$)/.test(value.text);
    return isBare ? '' : value.url.pathname;
  }),
  define('.getQuery', [`${TYPE}.getQuery(): map<string, list<string>>`], onUrl(queryOf)),
];
