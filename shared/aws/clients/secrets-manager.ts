import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type ClientOptions, givenOptions } from './options.ts';
import { unlogged } from './unlogged.ts';

/** A client of Secrets Manager, where machines fetch their bootstrap data. */
export const createSecretsManagerClient = (options: ClientOptions = {}): SecretsManagerClient =>
  unlogged(new SecretsManagerClient(givenOptions(options)));
