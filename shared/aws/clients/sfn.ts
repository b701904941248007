import { SFNClient } from '@aws-sdk/client-sfn';
import { type ClientOptions, givenOptions } from './options.ts';

/** A client of Step Functions, to start workflows. */
export const createSfnClient = (options: ClientOptions = {}): SFNClient => new SFNClient(givenOptions(options));
