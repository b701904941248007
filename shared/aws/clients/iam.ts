import { IAMClient } from '@aws-sdk/client-iam';
import { type ClientOptions, givenOptions } from './options.ts';
import { unlogged } from './unlogged.ts';

/** A client of IAM, to read instance profiles and roles. */
export const createIamClient = (options: ClientOptions = {}): IAMClient =>
  unlogged(new IAMClient(givenOptions(options)));
