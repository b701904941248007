import { SFNClient } from '@aws-sdk/client-sfn';
import { type ClientOptions, givenOptions } from './options.ts';
import { unlogged } from './unlogged.ts';

/** A client of Step Functions, to start workflows. */
export const createSfnClient = (options: ClientOptions = {}): SFNClient =>
  unlogged(new SFNClient(givenOptions(options)));
