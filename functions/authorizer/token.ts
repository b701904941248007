/**
 * The tokens of `aws eks get-token`: a presigned GetCallerIdentity request to STS, in base64url. Everything that can be
 * checked without STS is checked here. The rules follow aws-iam-authenticator, the reference verifier.
 */

/** A refused token. The message never contains any part of the token. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
}

/** The request in a valid token. */
export interface PresignedRequest {
  host: string;
  /** Path and query, exactly as they were signed. */
  path: string;
  /** Until this time, in milliseconds since 1970, STS accepts the request. */
  expiresAt: number;
}

const PREFIX = 'k8s-aws-v1.';
const MAX_LENGTH = 4096;
const BASE64URL = /^[A-Za-z0-9_-]+$/;
/** STS accepts a presigned request for 15 minutes after its date, whatever X-Amz-Expires says. */
const LIFETIME_MILLISECONDS = 15 * 60 * 1000;
const MAX_EXPIRES_SECONDS = 900;
const AMZ_DATE = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;
/** The signed header that binds a token to one cluster. */
export const CLUSTER_ID_HEADER = 'x-k8s-aws-id';

const REQUIRED = [
  'action',
  'version',
  'x-amz-algorithm',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-expires',
  'x-amz-signature',
  'x-amz-signedheaders',
];
const ALLOWED = [...REQUIRED, 'x-amz-security-token'];

const check = (holds: boolean, reason: string): void => {
  if (!holds) throw new TokenError(reason);
};

const decode = (token: string): string => {
  check(token.length <= MAX_LENGTH, 'the token is too long');
  check(token.startsWith(PREFIX), `the token does not begin with ${PREFIX}`);
  const encoded = token.slice(PREFIX.length);
  check(BASE64URL.test(encoded), 'the token is not base64url');
  return Buffer.from(encoded, 'base64url').toString('utf8');
};

const parseUrl = (text: string): URL => {
  const url = URL.parse(text);
  if (url === null) throw new TokenError('the token holds no URL');
  return url;
};

/** The URL parser drops the default port of the scheme and resolves `..`; the text must be exactly what is sent. */
const checkPlace = (text: string, url: URL, hosts: readonly string[]): void => {
  check(url.protocol === 'https:', 'the URL is not https');
  check(hosts.includes(url.host), 'the host is not the STS endpoint of this region');
  check(text.startsWith(`https://${url.host}/?`), 'the URL is more than host, path "/" and query');
  check(url.hash === '' && !text.includes('#'), 'the URL has a fragment');
};

const parametersOf = (url: URL): Map<string, string> => {
  const parameters = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    const key = name.toLowerCase();
    check(ALLOWED.includes(key), 'the query has a parameter that does not belong to the request');
    check(!parameters.has(key), 'the query has a parameter twice');
    parameters.set(key, value);
  }
  for (const name of REQUIRED) check(parameters.has(name), `the query lacks ${name}`);
  return parameters;
};

const parseDate = (text: string): number => {
  const match = AMZ_DATE.exec(text);
  if (match === null) throw new TokenError('x-amz-date is not a date');
  const [year = 0, month = 0, ...rest] = match.slice(1).map(Number);
  const [day, hours, minutes, seconds] = rest;
  return Date.UTC(year, month - 1, day, hours, minutes, seconds);
};

/**
 * The request in a token. `hosts` are the STS endpoints to which it may be sent; `now` is in milliseconds since 1970.
 * Throws TokenError with the reason if the token must be refused.
 */
export const readToken = (token: string, hosts: readonly string[], now: number): PresignedRequest => {
  const text = decode(token);
  const url = parseUrl(text);
  checkPlace(text, url, hosts);
  const parameters = parametersOf(url);
  const get = (name: string): string => parameters.get(name) ?? '';
  check(get('action') === 'GetCallerIdentity', 'the action is not GetCallerIdentity');
  check(get('x-amz-signedheaders').toLowerCase().split(';').includes(CLUSTER_ID_HEADER), 'the cluster is not signed');
  const expires = get('x-amz-expires');
  check(/^\d{1,3}$/.test(expires) && Number(expires) <= MAX_EXPIRES_SECONDS, 'x-amz-expires is not within 0 and 900');
  const expiresAt = parseDate(get('x-amz-date')) + LIFETIME_MILLISECONDS;
  check(expiresAt > now, 'the token has expired');
  return { host: url.host, path: text.slice(`https://${url.host}`.length), expiresAt };
};
