import { createBootstrapSecrets } from '../../../shared/aws/bootstrap-secrets.ts';
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

export const handler = makeStepHandler(
  'machine-objects',
  makeMachineObjectsSteps({ ...runtime, bootstrapSecrets }),
  runtime,
);
