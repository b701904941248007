import { LambdaClient } from '@aws-sdk/client-lambda';
import { type ClientOptions, givenOptions } from './options.ts';
import { unlogged } from './unlogged.ts';

/** More than the longest time that an ExtensionConfig may allow: each call has its own deadline. */
const REQUEST_MILLISECONDS = 60_000;

/** A client of Lambda, to call extensions that are functions. */
export const createLambdaClient = (options: ClientOptions = {}): LambdaClient =>
  unlogged(new LambdaClient(givenOptions(options, REQUEST_MILLISECONDS)));
