import { S3Client } from '@aws-sdk/client-s3';
import { type ClientOptions, givenOptions } from './options.ts';
import { unlogged } from './unlogged.ts';

/** The first byte of an answer to a large object comes only after all of it was sent. */
const REQUEST_MILLISECONDS = 60_000;

export interface S3Options extends ClientOptions {
  /** For buckets of any region: a request that S3 refuses because of the region is repeated in the bucket's own. */
  followRegionRedirects?: boolean;
}

/** A client of S3, where machines with Ignition fetch their bootstrap data, and exports of the table are. */
export const createS3Client = ({ followRegionRedirects = false, ...options }: S3Options = {}): S3Client =>
  unlogged(new S3Client({ ...givenOptions(options, REQUEST_MILLISECONDS), followRegionRedirects }));
