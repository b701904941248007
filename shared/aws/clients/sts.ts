import { STSClient } from '@aws-sdk/client-sts';
import { type ClientOptions, givenOptions } from './options.ts';
import { unlogged } from './unlogged.ts';

/** A client of STS, to assume roles. */
export const createStsClient = (options: ClientOptions = {}): STSClient =>
  unlogged(new STSClient(givenOptions(options)));
