import {
  DescribeSecretCommand,
  RestoreSecretCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { isNotFound } from '../../../aws/errors.ts';
import { isMachines, type MachineIdentity } from '../plan/ownership/instance.ts';
import { fromTagList } from '../tags.ts';

/** Secrets marked for deletion: they cannot be read, and can be restored for some days. */
export interface DeletedSecrets {
  /**
   * Also false for a secret that is gone permanently, for example after its machine has read it, and for one whose tags
   * do not name the machine.
   */
  isScheduledForDeletion(name: string, owner: MachineIdentity): Promise<boolean>;
  restore(name: string): Promise<void>;
}

/** The port, implemented with an SDK client. Throws the errors of Secrets Manager. */
export const createDeletedSecrets = (client: SecretsManagerClient): DeletedSecrets => ({
  isScheduledForDeletion: async (SecretId, owner) => {
    try {
      const { DeletedDate, Tags } = await client.send(new DescribeSecretCommand({ SecretId }));
      return DeletedDate !== undefined && isMachines({ tags: fromTagList(Tags) }, owner);
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  },
  restore: async (SecretId) => {
    await client.send(new RestoreSecretCommand({ SecretId }));
  },
});
