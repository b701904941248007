import { Buffer } from 'node:buffer';
import { CreateSecretCommand, DeleteSecretCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DeleteParameterCommand, PutParameterCommand, type SSMClient } from '@aws-sdk/client-ssm';
import { isParameter } from '../bootstrap/delivery/plan.ts';
import { isAlreadyExists, isNotFound } from './errors.ts';
import { type Tags, toTagList } from './tags.ts';

/** The secrets through which bootstrap data reaches a machine; see shared/bootstrap/delivery. */
export interface BootstrapSecrets {
  /** Creates the secret; one of that name is there already after a first try, which is success. */
  create(secret: BootstrapSecret): Promise<void>;
  /** Deletes the secret for good; one that the machine has deleted itself is success. */
  delete(name: string): Promise<void>;
}

interface BootstrapSecret {
  name: string;
  data: Uint8Array;
  tags: Tags;
  token: string;
}

const unless = async (isFine: (error: unknown) => boolean, request: Promise<unknown>): Promise<void> => {
  try {
    await request;
  } catch (error) {
    if (!isFine(error)) throw error;
  }
};

/** The port over AWS Secrets Manager. */
const inSecretsManager = (client: SecretsManagerClient): BootstrapSecrets => ({
  create: ({ name, data, tags, token }) => {
    const input = { Name: name, SecretBinary: data, Tags: toTagList(tags), ClientRequestToken: token };
    return unless(isAlreadyExists, client.send(new CreateSecretCommand(input)));
  },
  delete: (name) =>
    unless(isNotFound, client.send(new DeleteSecretCommand({ SecretId: name, ForceDeleteWithoutRecovery: true }))),
});

/** The port over the Parameter Store of AWS Systems Manager, under the account's own key for it. */
const inParameterStore = (client: SSMClient): BootstrapSecrets => ({
  create: ({ name, data, tags }) => {
    const Value = Buffer.from(data).toString('base64');
    const input = { Name: name, Value, Type: 'SecureString', Tags: toTagList(tags) } as const;
    return unless(isAlreadyExists, client.send(new PutParameterCommand(input)));
  },
  delete: (name) => unless(isNotFound, client.send(new DeleteParameterCommand({ Name: name }))),
});

/** Both stores; the name says which one a secret is in. */
export const createBootstrapSecrets = (clients: {
  secretsManager: SecretsManagerClient;
  ssm: SSMClient;
}): BootstrapSecrets => {
  const secrets = inSecretsManager(clients.secretsManager);
  const parameters = inParameterStore(clients.ssm);
  const storeOf = (name: string): BootstrapSecrets => (isParameter(name) ? parameters : secrets);
  return { create: (secret) => storeOf(secret.name).create(secret), delete: (name) => storeOf(name).delete(name) };
};
