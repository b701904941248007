import { IAMClient } from '@aws-sdk/client-iam';
import { type ClientOptions, givenOptions } from './options.ts';

/** A client of IAM, to read instance profiles and roles. */
export const createIamClient = (options: ClientOptions = {}): IAMClient => new IAMClient(givenOptions(options));
