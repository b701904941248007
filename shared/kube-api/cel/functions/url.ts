import { CelError, type CelValue, type Opaque } from '../value.ts';
import { type CelFunction, define } from './define.ts';
import { checkUrl, printUrl, readQuery, readUrl, type UrlParts } from './url-text.ts';

class Url implements Opaque {
  readonly celType = 'kubernetes.URL';
  readonly text: string;
  readonly parts: UrlParts;
  constructor(parts: UrlParts) {
    this.text = printUrl(parts);
    this.parts = parts;
  }
  equals(other: Opaque): boolean {
    return other instanceof Url && other.text === this.text;
  }
}

const onUrl = (run: (parts: UrlParts) => CelValue) => (value: CelValue) =>
  value instanceof Url ? run(value.parts) : undefined;

const hostname = ({ host }: UrlParts): string => {
  const bracketed = /^\[(.*)\]/.exec(host)?.[1];
  return bracketed ?? host.replace(/:\d*$/, '');
};

/** Throws CelError. */
const toUrl = (text: string): Url => {
  try {
    return new Url(readUrl(text));
  } catch (error) {
    if (error instanceof CelError)
      throw new CelError(`URL parse error during conversion from string: ${error.message}`);
    throw error;
  }
};

const isUrl = (text: string): boolean => {
  try {
    checkUrl(text);
    return true;
  } catch (error) {
    if (error instanceof CelError) return false;
    throw error;
  }
};

/** Kubernetes' URL library (k8s.io/apiserver/pkg/cel/library/urls.go). */
export const urlFunctions: readonly CelFunction[] = [
  define('url', (text) => (typeof text === 'string' ? toUrl(text) : undefined)),
  define('isURL', (text) => (typeof text === 'string' ? isUrl(text) : undefined)),
  define(
    '.getScheme',
    onUrl(({ scheme }) => scheme),
  ),
  define(
    '.getHost',
    onUrl(({ host }) => host),
  ),
  define('.getHostname', onUrl(hostname)),
  define(
    '.getPort',
    onUrl(({ host }) => /:(\d*)$/.exec(host)?.[1] ?? ''),
  ),
  define(
    '.getEscapedPath',
    onUrl(({ path }) => path),
  ),
  define(
    '.getQuery',
    onUrl(({ query }) => readQuery(query)),
  ),
];
