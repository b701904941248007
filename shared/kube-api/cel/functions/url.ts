import { CelError, type CelValue, type Opaque } from '../value.ts';
import { type CelFunction, define } from './define.ts';
import { readQuery, readUrl, type UrlParts } from './url-text.ts';

class Url implements Opaque {
  readonly celType = 'kubernetes.URL';
  readonly text: string;
  readonly parts: UrlParts;
  constructor(text: string, parts: UrlParts) {
    this.text = text;
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

const isUrl = (text: string): boolean => {
  try {
    readUrl(text);
    return true;
  } catch (error) {
    if (error instanceof CelError) return false;
    throw error;
  }
};

/** Kubernetes' URL library (k8s.io/apiserver/pkg/cel/library/urls.go). */
export const urlFunctions: readonly CelFunction[] = [
  define('url', (text) => (typeof text === 'string' ? new Url(text, readUrl(text)) : undefined)),
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
