import { DeleteSecretCommand, DescribeSecretCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { isNotFound } from '../../../aws/errors.ts';
import { isMachines, type MachineIdentity } from '../plan/ownership/instance.ts';
import { fromTagList, type Tags } from '../tags.ts';

/** The deletion of a machine's secrets. */
export interface SecretDeletion {
  /**
   * Deletes the secret permanently. Succeeds if the machine has already deleted it. `foreign`: its tags do not name the
   * machine, and it is kept.
   */
  delete(name: string, owner: MachineIdentity): Promise<'gone' | 'foreign'>;
}

/**
 * What deleting from a store needs. A secret's name comes from an object that tenants can write, so the secret's tags
 * are read before it is deleted.
 */
export interface DeletableStore {
  /** Undefined if there is no such secret. */
  tagsOf(name: string): Promise<Tags | undefined>;
  remove(name: string): Promise<unknown>;
}

/** The result of a request; undefined if it fails with an error that is fine. */
export const unless = async <T>(isFine: (error: unknown) => boolean, request: Promise<T>): Promise<T | undefined> => {
  try {
    return await request;
  } catch (error) {
    if (isFine(error)) return undefined;
    throw error;
  }
};

/** Deletion in AWS Secrets Manager. */
export const deletableSecrets = (client: SecretsManagerClient): DeletableStore => ({
  tagsOf: async (name) => {
    const found = await unless(isNotFound, client.send(new DescribeSecretCommand({ SecretId: name })));
    return found && fromTagList(found.Tags);
  },
  remove: (name) => client.send(new DeleteSecretCommand({ SecretId: name, ForceDeleteWithoutRecovery: true })),
});

/** Deletes a secret of the machine, as SecretDeletion. */
export const deleteIn = async (
  store: DeletableStore,
  name: string,
  owner: MachineIdentity,
): Promise<'gone' | 'foreign'> => {
  const tags = await store.tagsOf(name);
  if (!tags) return 'gone';
  if (!isMachines({ tags }, owner)) return 'foreign';
  await unless(isNotFound, store.remove(name));
  return 'gone';
};

/** Only the deletion, and only in Secrets Manager: the sweep has no other permission. */
export const createSecretDeletion = (client: SecretsManagerClient): SecretDeletion => {
  const secrets = deletableSecrets(client);
  return { delete: (name, owner) => deleteIn(secrets, name, owner) };
};
