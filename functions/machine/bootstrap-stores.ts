import { type BootstrapObjects, createBootstrapObjects } from '../../shared/aws/bootstrap-objects.ts';
import { type BootstrapSecrets, createBootstrapSecrets } from '../../shared/aws/bootstrap-secrets.ts';
import { createS3Client } from '../../shared/aws/clients/s3.ts';
import { createSecretsManagerClient } from '../../shared/aws/clients/secrets-manager.ts';
import { createSsmClient } from '../../shared/aws/clients/ssm.ts';
import { makePerScope, type PerScope } from '../../shared/aws/scope.ts';

/** Where machines fetch their bootstrap data: in the account and region of their instances. */
export interface BootstrapStores {
  bootstrapSecrets: BootstrapSecrets;
  bootstrapObjects: BootstrapObjects;
}

/** The stores of each scope over SDK clients. */
export const makeBootstrapStores = (): PerScope<BootstrapStores> =>
  makePerScope((options) => ({
    bootstrapSecrets: createBootstrapSecrets({
      secretsManager: createSecretsManagerClient(options),
      ssm: createSsmClient(options),
    }),
    bootstrapObjects: createBootstrapObjects(createS3Client(options)),
  }));
