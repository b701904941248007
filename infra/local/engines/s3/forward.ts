/**
 * The used part of S3: buckets with tags and a policy, and small objects. The REST API is addressed by path
 * (`/bucket/key`), as SDKs do if the endpoint is an IP address.
 */
import { createHash } from 'node:crypto';
import type { WireRequest, WireResponse } from '../wire/call.ts';
import { AwsFault, notSimulated } from '../wire/fault.ts';
import type { Forward } from '../wire/server.ts';
import { BUCKET_ACTIONS, getBucket } from './buckets.ts';
import type { S3 } from './state.ts';
import { xmlFault } from './xml.ts';

const denied = (message: string): AwsFault => new AwsFault('AccessDenied', message, 403);

const timeOf = (text: string): number => {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
};

/** Checks that a presigned address is still valid. Signatures are not verified here, as in all ordinary requests. */
const checkPresigned = ({ searchParams: query }: URL, now: Date): void => {
  const begin = timeOf(query.get('X-Amz-Date') ?? '');
  const seconds = Number(query.get('X-Amz-Expires') ?? Number.NaN);
  if (Number.isNaN(begin) || Number.isNaN(seconds) || !query.get('X-Amz-Signature')) {
    throw denied('Query-string authentication requires the Signature, Expires and Date parameters');
  }
  if (now.getTime() > begin + seconds * 1000) throw denied('Request has expired');
};

const putObject = (s3: S3, bucket: string, key: string, { body, headers }: WireRequest): WireResponse => {
  if (headers['content-encoding']?.includes('aws-chunked')) throw notSimulated('s3:PutObject in chunks');
  if (headers['x-amz-copy-source']) throw notSimulated('s3:CopyObject');
  const encryption = headers['x-amz-server-side-encryption'];
  const stored = { body, modifiedAt: s3.place.clock.now(), encryption: encryption?.toString() };
  getBucket(s3, bucket).objects.set(key, stored);
  const etag = `"${createHash('md5').update(body).digest('hex')}"`;
  return { status: 200, headers: { etag }, body: '' };
};

const getObject = (s3: S3, bucket: string, key: string): WireResponse => {
  const found = getBucket(s3, bucket).objects.get(key);
  if (!found) throw new AwsFault('NoSuchKey', 'The specified key does not exist.', 404);
  const headers = { 'content-type': 'binary/octet-stream', 'last-modified': found.modifiedAt.toUTCString() };
  return { status: 200, headers, body: found.body };
};

const deleteObject = (s3: S3, bucket: string, key: string): WireResponse => {
  getBucket(s3, bucket).objects.delete(key);
  return { status: 204, headers: {}, body: '' };
};

const OBJECT_ACTIONS: Readonly<Record<string, typeof putObject>> = {
  PUT: putObject,
  GET: getObject,
  DELETE: deleteObject,
};

/** Parameters without an effect on the request: those of signatures, and the SDKs' name of the operation. */
const isMere = (name: string): boolean => /^x-amz-/i.test(name) || name === 'x-id';

/**
 * Source: Amazon S3 User Guide, "Verifying bucket ownership with bucket owner condition". A bucket of another account
 * gives no access, because no policy is evaluated.
 */
const checkOwner = (s3: S3, name: string, { headers }: WireRequest): void => {
  const bucket = s3.buckets.get(name);
  if (!bucket) return;
  const { accountId } = s3.place;
  const { ownerId = accountId } = bucket;
  const expected = headers['x-amz-expected-bucket-owner'] ?? ownerId;
  if (ownerId !== accountId || expected !== ownerId) throw denied('Access Denied');
};

/** Whether a request creates its bucket, which need not exist. */
const isCreation = ({ method, url }: WireRequest): boolean => {
  const [, , key = ''] = decodeURIComponent(url.pathname).split('/');
  return method === 'PUT' && key === '' && [...url.searchParams.keys()].every(isMere);
};

const answer = (s3: S3, request: WireRequest): WireResponse => {
  const { method, url, scope } = request;
  if (scope.presigned) checkPresigned(url, s3.place.clock.now());
  const [, bucket = '', ...rest] = decodeURIComponent(url.pathname).split('/');
  const key = rest.join('/');
  const asked = [...url.searchParams.keys()].filter((name) => !isMere(name));
  if (!isCreation(request)) checkOwner(s3, bucket, request);
  const objectAction = asked.length === 0 ? OBJECT_ACTIONS[method] : undefined;
  const bucketAction = BUCKET_ACTIONS[`${method} ${asked.join(',')}`];
  if (key !== '' && objectAction) return objectAction(s3, bucket, key, request);
  if (bucket !== '' && key === '' && bucketAction) return bucketAction(s3, bucket, request);
  const place = key === '' ? (bucket === '' ? 'all buckets' : 'a bucket') : 'an object';
  throw notSimulated(`s3: ${method} of ${place}${asked.length > 0 ? ` with ${asked.join(', ')}` : ''}`);
};

/**
 * The response for a bucket in another region than the addressed one, with the right region. SDKs do not follow it
 * unless configured to do so. Source: Amazon S3 API Reference, "Error responses", PermanentRedirect.
 */
const redirect = ({ buckets }: S3, request: WireRequest): WireResponse | undefined => {
  const [, name = ''] = decodeURIComponent(request.url.pathname).split('/');
  const { region } = buckets.get(name) ?? {};
  if (region === undefined || region === request.scope.region || isCreation(request)) return undefined;
  const message = 'The bucket you are attempting to access must be addressed using the specified endpoint.';
  const { headers, ...fault } = xmlFault(new AwsFault('PermanentRedirect', message, 301), request.requestId);
  return { ...fault, headers: { ...headers, 'x-amz-bucket-region': region } };
};

/** Answers requests that are signed for `s3`. */
export const s3Forward =
  (s3: S3): Forward =>
  async (request) => {
    try {
      return redirect(s3, request) ?? answer(s3, request);
    } catch (error) {
      if (error instanceof AwsFault) return xmlFault(error, request.requestId);
      throw error;
    }
  };
