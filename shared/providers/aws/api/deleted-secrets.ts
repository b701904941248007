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
   * False as well for one that is gone permanently, as after the machine that it was for has read it, and for one whose tags
   * do not name the machine.
   */
  isScheduledForDeletion(name: string, owner: MachineIdentity): Promise<boolean>;
  restore(name: string): Promise<void>;
}

/** The port over an SDK client. Throws what Secrets Manager answers. */
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
