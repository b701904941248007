import { LambdaClient } from '@aws-sdk/client-lambda';
import { type ClientOptions, givenOptions } from './options.ts';

/** A client of Lambda, to call extensions that are functions. */
export const createLambdaClient = (options: ClientOptions = {}): LambdaClient =>
  new LambdaClient(givenOptions(options));
