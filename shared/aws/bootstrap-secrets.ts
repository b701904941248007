import { CreateSecretCommand, DeleteSecretCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { isAlreadyExists, isNotFound } from './errors.ts';
import { type Tags, toTagList } from './tags.ts';

/** The secrets through which bootstrap data reaches a machine; see shared/bootstrap/delivery. */
export interface BootstrapSecrets {
  /** Creates the secret; one of that name is there already after a first try, which is success. */
  create(secret: { name: string; data: Uint8Array; tags: Tags; token: string }): Promise<void>;
  /** Deletes the secret for good; one that the machine has deleted itself is success. */
  delete(name: string): Promise<void>;
}

/** The port over AWS Secrets Manager. */
export const createBootstrapSecrets = (client: SecretsManagerClient): BootstrapSecrets => ({
  create: async ({ name, data, tags, token }) => {
    try {
      const input = { Name: name, SecretBinary: data, Tags: toTagList(tags), ClientRequestToken: token };
      await client.send(new CreateSecretCommand(input));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  },
  delete: async (name) => {
    try {
      await client.send(new DeleteSecretCommand({ SecretId: name, ForceDeleteWithoutRecovery: true }));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  },
});
