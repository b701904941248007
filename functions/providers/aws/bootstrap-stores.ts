import { createS3Client } from '../../../shared/aws/clients/s3.ts';
import { createSecretsManagerClient } from '../../../shared/aws/clients/secrets-manager.ts';
import { createSsmClient } from '../../../shared/aws/clients/ssm.ts';
import { type BootstrapObjects, createBootstrapObjects } from '../../../shared/providers/aws/api/bootstrap-objects.ts';
import { type BootstrapSecrets, createBootstrapSecrets } from '../../../shared/providers/aws/api/bootstrap-secrets.ts';
import { makePerScope, type PerScope } from '../../../shared/providers/aws/scope.ts';

/** The stores from which machines fetch their bootstrap data, in the account and region of their instances. */
export interface BootstrapStores {
  bootstrapSecrets: BootstrapSecrets;
  bootstrapObjects: BootstrapObjects;
}

/** The stores of each scope, with SDK clients. */
export const makeBootstrapStores = (): PerScope<BootstrapStores> =>
  makePerScope((options) => ({
    bootstrapSecrets: createBootstrapSecrets({
      secretsManager: createSecretsManagerClient(options),
      ssm: createSsmClient(options),
    }),
    bootstrapObjects: createBootstrapObjects(createS3Client(options)),
  }));
