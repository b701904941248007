import { S3Client } from '@aws-sdk/client-s3';
import { type ClientOptions, givenOptions } from './options.ts';
import { unlogged } from './unlogged.ts';

/** The first byte of an answer to a large object comes only after all of it was sent. */
const REQUEST_MILLISECONDS = 60_000;

/** A client of S3, where machines with Ignition fetch their bootstrap data. */
export const createS3Client = (options: ClientOptions = {}): S3Client =>
  unlogged(new S3Client(givenOptions(options, REQUEST_MILLISECONDS)));
