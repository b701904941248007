import { KMS } from '@aws-sdk/client-kms';
import { type ClientOptions, givenOptions } from './options.ts';

/**
 * A client of KMS in the form that the Encryption SDK's keyrings require (the aggregated one); it also reads customers'
 * keys.
 */
export const createKmsClient = (options: ClientOptions = {}): KMS => new KMS(givenOptions(options));
