import { STSClient } from '@aws-sdk/client-sts';
import { type ClientOptions, givenOptions } from './options.ts';

/** A client of STS, to assume roles. */
export const createStsClient = (options: ClientOptions = {}): STSClient => new STSClient(givenOptions(options));
