import { decodePath, segmentsOf } from './path-segment.ts';
import { queryOf, readFlag } from './query.ts';
import type { Attributes } from './user.ts';

/**
 * The attributes of a request for authorization, from its method and URL alone, as in upstream's RequestInfo
 * (k8s.io/apiserver/pkg/endpoints/request). They are also determined for resources that do not exist, so that a refusal
 * precedes 404.
 */

const VERBS: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Subresources of a namespace, which would otherwise be read as resources inside it. */
const NAMESPACE_SUBRESOURCES = ['status', 'finalize'];

/** The parts of a decoded path below its group and version; undefined if it names no resource. */
const locate = (path: string): Omit<Attributes, 'verb'> | undefined => {
  const [root, ...rest] = segmentsOf(path);
  if (root !== 'api' && root !== 'apis') return undefined;
  const [group = '', version, ...segments] = root === 'api' ? ['', ...rest] : rest;
  if (version === undefined || segments.length === 0) return undefined;
  const [first, namespace, inner] = segments;
  if (first !== 'namespaces' || namespace === undefined) return { group, version, namespace: '', ...part(segments) };
  const isInside = inner !== undefined && !NAMESPACE_SUBRESOURCES.includes(inner);
  // A namespace is inside itself: a user who may read its contents may be allowed to read it as well.
  return { group, version, namespace, ...part(isInside ? segments.slice(2) : segments) };
};

const part = ([resource, name, ...more]: string[]) => ({
  resource,
  name,
  subresource: more[0],
});

/**
 * The only name to which a list or a watch is restricted. Selectors with escapes are not parsed: they can only grant
 * less.
 */
const selectedName = (query: URLSearchParams): string | undefined => {
  const selector = query.get('fieldSelector') ?? '';
  if (selector.includes('\\')) return undefined;
  const terms = selector.split(',').map((term) => /^metadata\.name==?([^=!]+)$/.exec(term.trim())?.[1]);
  return terms.find((name) => name !== undefined);
};

/** The same for a complete request, including one whose path cannot be decoded. */
export const attributesOfRequest = ({ method, url }: Pick<Request, 'method' | 'url'>): Attributes => {
  const { pathname } = new URL(url);
  return attributesOf(method, decodePath(pathname) ?? pathname, queryOf(url));
};

/** `path` is decoded. */
export const attributesOf = (method: string, path: string, query: URLSearchParams): Attributes => {
  const located = locate(path);
  if (!located) return { verb: method === 'HEAD' ? 'get' : method.toLowerCase(), path };
  const verb = VERBS[method] ?? method.toLowerCase();
  if (located.name !== undefined) return { verb, ...located };
  if (verb === 'delete') return { verb: 'deletecollection', ...located };
  if (verb !== 'get') return { verb, ...located };
  return { verb: readFlag(query, 'watch') ? 'watch' : 'list', ...located, name: selectedName(query) };
};
