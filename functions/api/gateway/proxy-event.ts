import { textOf } from '../../../shared/kube-api/server/respond.ts';
import type { User } from '../../../shared/kube-api/server/user.ts';

/** The parts of an API Gateway REST proxy event (payload version 1.0) that are used. */
export interface ProxyEvent {
  httpMethod: string;
  /** The path without the stage, but with the base path of a custom domain's mapping. */
  path: string;
  /** The path of the gateway's resource that matches the request, such as `/{proxy+}`. */
  resource?: string;
  pathParameters?: Record<string, string | undefined> | null;
  headers: Record<string, string | undefined> | null;
  multiValueHeaders?: Record<string, string[] | undefined> | null;
  multiValueQueryStringParameters?: Record<string, string[] | undefined> | null;
  body: string | null;
  isBase64Encoded: boolean;
  requestContext: {
    requestId?: string;
    domainName?: string;
    /** The client's address, as API Gateway saw it. */
    identity?: { sourceIp?: string } | null;
    /** Includes the stage if the client's URL has it. */
    path?: string;
    /** The authorizer's answer; all values are texts. */
    authorizer?: { principalId?: string; userName?: string; groups?: string; userId?: string } | null;
  };
}

/** The response that a streaming function returns to API Gateway. */
export interface ProxyAnswer {
  statusCode: number;
  headers: Record<string, string>;
  body: ReadableStream<Uint8Array> | string;
}

const present = <T>(record: Record<string, T | undefined> | null | undefined): [string, T][] =>
  Object.entries(record ?? {}).filter((entry): entry is [string, T] => entry[1] !== undefined && entry[1] !== null);

const queryOf = ({ multiValueQueryStringParameters }: ProxyEvent): string => {
  const query = new URLSearchParams();
  for (const [name, values] of present(multiValueQueryStringParameters)) {
    for (const value of values) query.append(name, value);
  }
  return query.size === 0 ? '' : `?${query}`;
};

const headersOf = ({ headers, multiValueHeaders }: ProxyEvent): Headers => {
  const result = new Headers();
  for (const [name, values] of present(multiValueHeaders)) for (const value of values) result.append(name, value);
  for (const [name, value] of present(headers)) if (!result.has(name)) result.set(name, value);
  // The token was only for the authorizer.
  result.delete('authorization');
  return result;
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const withoutLastSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);

/**
 * The base path under which a custom domain maps the API; empty at the gateway's own address. Only the matched resource
 * shows where the API's part of `path` begins.
 */
const mappedAt = ({ path, resource, pathParameters }: ProxyEvent): string => {
  const values = pathParameters ?? {};
  const names = [...(resource ?? '{}').matchAll(/\{([^}+]*)\+?\}/g)].map(([, name = '']) => name);
  if (names.some((name) => values[name] === undefined)) return '';
  const matched = resource?.replace(/\{([^}+]*)\+?\}/g, (_, name: string) => values[name] ?? '') ?? '';
  const [own, full] = [matched, path].map((text) => withoutLastSlash(decoded(text)));
  const base = full?.endsWith(own ?? '') ? full.slice(0, full.length - (own ?? '').length) : '';
  return path.startsWith(base) ? base : '';
};

/** The path in the API. */
const pathOf = (event: ProxyEvent): string => event.path.slice(mappedAt(event).length) || '/';

/**
 * The event as a web-standard request. API Gateway has already decoded the query, and bodies of binary types are in
 * base64.
 */
export const requestOf = (event: ProxyEvent): Request => {
  const { body, isBase64Encoded, httpMethod, requestContext } = event;
  const url = `https://${requestContext.domainName ?? 'api'}${pathOf(event)}${queryOf(event)}`;
  const bytes = body === null ? undefined : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const hasBody = bytes !== undefined && httpMethod !== 'GET' && httpMethod !== 'HEAD';
  return new Request(url, { method: httpMethod, headers: headersOf(event), ...(hasBody ? { body: bytes } : {}) });
};

/**
 * The part of the client's URL before the API: `/<stage>` at the gateway's own address; at a custom domain, the base
 * path of the mapping, which may be empty.
 */
export const basePathOf = (event: ProxyEvent): string => {
  const { path, requestContext } = event;
  const full = requestContext.path ?? path;
  const before = full.endsWith(path) ? full.slice(0, full.length - path.length) : '';
  return `${before}${mappedAt(event)}`;
};

/** The additional data that `kubectl auth whoami` shows, as on EKS: the principal, its id and the session of a role. */
const extraOf = (arn: string, userId: string): User['extra'] => {
  const [principalId = '', sessionName] = userId.split(':');
  return { canonicalArn: [arn], principalId: [principalId], ...(sessionName ? { sessionName: [sessionName] } : {}) };
};

/** The caller, as identified by the authorizer. Throws an Error if the function has no authorizer. */
export const userOf = ({ requestContext: { authorizer } }: ProxyEvent): User => {
  const name = authorizer?.userName ?? authorizer?.principalId;
  if (!name) throw new Error('the request came without an authorizer: the gateway is misconfigured');
  const groups = (authorizer?.groups ?? '').split(',').filter((group) => group !== '');
  const { userId } = authorizer ?? {};
  return { name, groups, ...(userId ? { uid: userId, extra: extraOf(name, userId) } : {}) };
};

export const answerOf = (response: Response): ProxyAnswer => ({
  statusCode: response.status,
  headers: Object.fromEntries(response.headers),
  // A text that is already known needs no stream.
  body: textOf(response) ?? response.body ?? '',
});
