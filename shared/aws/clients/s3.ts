import { S3Client } from '@aws-sdk/client-s3';
import { type ClientOptions, givenOptions } from './options.ts';
import { unlogged } from './unlogged.ts';

/** The first byte of the response to a large object only arrives after the whole object was sent. */
const REQUEST_MILLISECONDS = 60_000;

export interface S3Options extends ClientOptions {
  /** For buckets in any region: a request that S3 refuses because of the region is repeated in the bucket's region. */
  followRegionRedirects?: boolean;
}

/** A client of S3, which stores the bootstrap data of machines with Ignition and the exports of the table. */
export const createS3Client = ({ followRegionRedirects = false, ...options }: S3Options = {}): S3Client =>
  unlogged(new S3Client({ ...givenOptions(options, REQUEST_MILLISECONDS), followRegionRedirects }));
