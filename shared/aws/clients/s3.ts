import { S3Client } from '@aws-sdk/client-s3';
import { type ClientOptions, givenOptions } from './options.ts';

/** A client of S3, where machines with Ignition fetch their bootstrap data. */
export const createS3Client = (options: ClientOptions = {}): S3Client => new S3Client(givenOptions(options));
