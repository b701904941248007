import { createBootstrapObjects } from '../../../shared/aws/bootstrap-objects.ts';
import { createBootstrapSecrets } from '../../../shared/aws/bootstrap-secrets.ts';
import { createS3Client } from '../../../shared/aws/clients/s3.ts';
import { createSecretsManagerClient } from '../../../shared/aws/clients/secrets-manager.ts';
import { createSsmClient } from '../../../shared/aws/clients/ssm.ts';
import { makeSealedRuntime } from '../../sealed-runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { makeMachineObjectsSteps } from './steps.ts';

const runtime = makeSealedRuntime(process.env);
const bootstrapSecrets = createBootstrapSecrets({
  secretsManager: createSecretsManagerClient(),
  ssm: createSsmClient(),
});
const bootstrapObjects = createBootstrapObjects(createS3Client());

export const handler = makeStepHandler(
  'machine-objects',
  makeMachineObjectsSteps({ ...runtime, bootstrapSecrets, bootstrapObjects }),
  runtime,
);
