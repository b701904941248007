import { KMS } from '@aws-sdk/client-kms';
import { type ClientOptions, givenOptions } from './options.ts';
import { unlogged } from './unlogged.ts';

/**
 * A client of KMS in the form that the Encryption SDK's keyrings require (the aggregated client). It is also used to
 * read customers' keys.
 */
export const createKmsClient = (options: ClientOptions = {}): KMS => unlogged(new KMS(givenOptions(options)));
