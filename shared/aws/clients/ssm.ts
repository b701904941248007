import { SSMClient } from '@aws-sdk/client-ssm';
import { type ClientOptions, givenOptions } from './options.ts';
import { unlogged } from './unlogged.ts';

/** A client of Systems Manager, whose Parameter Store may hold the bootstrap data of machines. */
export const createSsmClient = (options: ClientOptions = {}): SSMClient =>
  unlogged(new SSMClient(givenOptions(options)));
