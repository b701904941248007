import { SSMClient } from '@aws-sdk/client-ssm';
import { type ClientOptions, givenOptions } from './options.ts';
import { unlogged } from './unlogged.ts';

/** A client of Systems Manager, in whose Parameter Store machines may fetch their bootstrap data. */
export const createSsmClient = (options: ClientOptions = {}): SSMClient =>
  unlogged(new SSMClient(givenOptions(options)));
