import { LambdaClient } from '@aws-sdk/client-lambda';
import { type ClientOptions, givenOptions } from './options.ts';
import { unlogged } from './unlogged.ts';

/** Longer than the longest timeout that an ExtensionConfig may set. Each call has its own deadline. */
const REQUEST_MILLISECONDS = 60_000;

/** A client of Lambda, to call extensions that are functions. */
export const createLambdaClient = (options: ClientOptions = {}): LambdaClient =>
  unlogged(new LambdaClient(givenOptions(options, REQUEST_MILLISECONDS)));
