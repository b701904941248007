import type { WireRequest, WireResponse } from '../wire/call.ts';
import { AwsFault } from '../wire/fault.ts';
import type { Bucket, S3 } from './state.ts';
import { element, textsOf, xmlResponse } from './xml.ts';

const NAME = /^(?!\d+\.\d+\.\d+\.\d+$)(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const FIRST_REGION = 'us-east-1';

const done = (status = 200): WireResponse => ({ status, headers: {}, body: '' });

/** Throws NoSuchBucket. */
export const getBucket = ({ buckets }: S3, name: string): Bucket => {
  const bucket = buckets.get(name);
  if (!bucket) throw new AwsFault('NoSuchBucket', 'The specified bucket does not exist', 404);
  return bucket;
};

/** The tags in a document. Throws InvalidTag. */
const tagsIn = (document: string): Map<string, string> => {
  const keys = textsOf(document, 'Key');
  const values = textsOf(document, 'Value');
  if (new Set(keys).size !== keys.length)
    throw new AwsFault('InvalidTag', 'Cannot provide multiple Tags with the same key');
  return new Map(keys.map((key, index) => [key, values[index] ?? '']));
};

const createBucket = (s3: S3, name: string, { body, scope: { region } }: WireRequest): WireResponse => {
  if (!NAME.test(name)) throw new AwsFault('InvalidBucketName', 'The specified bucket is not valid.');
  const document = body.toString('utf8');
  const tags = tagsIn(document);
  const [asked = FIRST_REGION] = textsOf(document, 'LocationConstraint');
  if (asked !== region) {
    const message = `The ${asked} location constraint is incompatible for the region specific endpoint this request was sent to.`;
    throw new AwsFault('IllegalLocationConstraintException', message);
  }
  const before = s3.buckets.get(name);
  if (before?.ownerId !== undefined) {
    const message = 'The requested bucket name is not available. Please select a different name and try again.';
    throw new AwsFault('BucketAlreadyExists', message, 409);
  }
  // Only in this region, creating your own bucket again is not an error.
  if (before && !(region === FIRST_REGION && before.region === FIRST_REGION)) {
    const message = 'Your previous request to create the named bucket succeeded and you already own it.';
    throw new AwsFault('BucketAlreadyOwnedByYou', message, 409);
  }
  const { clock } = s3.place;
  if (!before) {
    s3.buckets.set(name, {
      name,
      region,
      createdAt: clock.now(),
      tags,
      policy: undefined,
      objects: new Map(),
    });
  }
  return { ...done(), headers: { location: `/${name}` } };
};

const deleteBucket = (s3: S3, name: string): WireResponse => {
  if (getBucket(s3, name).objects.size > 0)
    throw new AwsFault('BucketNotEmpty', 'The bucket you tried to delete is not empty', 409);
  s3.buckets.delete(name);
  return done(204);
};

const getTags = (s3: S3, name: string): WireResponse => {
  const { tags } = getBucket(s3, name);
  if (tags.size === 0) throw new AwsFault('NoSuchTagSet', 'The TagSet does not exist', 404);
  const list = [...tags].map(([key, value]) => `<Tag>${element('Key', key)}${element('Value', value)}</Tag>`);
  return xmlResponse(`<Tagging><TagSet>${list.join('')}</TagSet></Tagging>`);
};

const putTags = (s3: S3, name: string, { body }: WireRequest): WireResponse => {
  const bucket = getBucket(s3, name);
  bucket.tags = tagsIn(body.toString('utf8'));
  return done(204);
};

const putPolicy = (s3: S3, name: string, { body }: WireRequest): WireResponse => {
  const bucket = getBucket(s3, name);
  const text = body.toString('utf8');
  try {
    const { Statement } = JSON.parse(text) as { Statement?: unknown };
    if (!Array.isArray(Statement)) throw new Error('no statements');
  } catch {
    throw new AwsFault('MalformedPolicy', "Policies must be valid JSON and the first byte must be '{'");
  }
  bucket.policy = text;
  return done(204);
};

type Action = (s3: S3, name: string, request: WireRequest) => WireResponse;

/** The actions on a bucket, by method and subresource. */
export const BUCKET_ACTIONS: Readonly<Record<string, Action>> = {
  'PUT ': createBucket,
  'DELETE ': deleteBucket,
  'GET tagging': getTags,
  'PUT tagging': putTags,
  'PUT policy': putPolicy,
};
