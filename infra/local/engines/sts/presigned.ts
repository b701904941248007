/**
 * Verifies presigned requests, which others send on behalf of the signer: they are the basis of EKS-style tokens.
 * Source: the IAM guide, "Signature Version 4 signing process for query string authentication".
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { WireRequest } from '../wire/call.ts';
import { AwsFault } from '../wire/fault.ts';
import type { Principal } from './principals.ts';

/** STS accepts a presigned URL for fifteen minutes, whatever X-Amz-Expires says. */
const LIFETIME_MILLISECONDS = 900_000;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

const canonicalQuery = (query: URLSearchParams): string =>
  [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a, x], [b, y]) => (a === b ? Number(x > y) - Number(x < y) : a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

const canonicalHeaders = (request: WireRequest, names: readonly string[], host: string): string =>
  names.map((name) => `${name}:${name === 'host' ? host : String(request.headers[name] ?? '').trim()}\n`).join('');

const signatureOf = (request: WireRequest, secret: string, host: string): string => {
  const query = request.url.searchParams;
  const signed = query.get('X-Amz-SignedHeaders') ?? '';
  const [, date = '', region = '', service = '', end = ''] = (query.get('X-Amz-Credential') ?? '').split('/');
  const canonical = [
    request.method,
    request.url.pathname,
    canonicalQuery(query),
    canonicalHeaders(request, signed.split(';'), host),
    signed,
    sha256(''),
  ].join('\n');
  const scope = [date, region, service, end].join('/');
  const text = ['AWS4-HMAC-SHA256', query.get('X-Amz-Date') ?? '', scope, sha256(canonical)].join('\n');
  const key = [date, region, service, end].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, text).toString('hex');
};

/** A verifier with this endpoint sends our host name, but the URL was signed for a host name of STS. */
const hostsOf = (request: WireRequest): string[] => [
  request.headers.host ?? '',
  `sts.${request.scope.region}.amazonaws.com`,
  'sts.amazonaws.com',
];

const signedAt = (text: string): Date =>
  new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

const mismatch = (): AwsFault =>
  new AwsFault(
    'SignatureDoesNotMatch',
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
    403,
  );

/**
 * Throws SignatureDoesNotMatch or InvalidClientTokenId if `principal` has not signed the request or signed it too long
 * ago.
 */
export const verifyPresigned = (request: WireRequest, principal: Principal, now: Date): void => {
  const query = request.url.searchParams;
  const at = signedAt(query.get('X-Amz-Date') ?? '');
  if (Number.isNaN(at.getTime())) throw mismatch();
  if (now.getTime() > at.getTime() + LIFETIME_MILLISECONDS)
    throw new AwsFault('SignatureDoesNotMatch', `Signature expired: signed at ${at.toISOString()}`, 403);
  const token = query.get('X-Amz-Security-Token') ?? undefined;
  if (token !== principal.credentials.sessionToken)
    throw new AwsFault('InvalidClientTokenId', 'The security token included in the request is invalid.', 403);
  const given = Buffer.from(query.get('X-Amz-Signature') ?? '');
  const isRight = hostsOf(request).some((host) => {
    const expected = Buffer.from(signatureOf(request, principal.credentials.secretAccessKey, host));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  if (!isRight) throw mismatch();
};
