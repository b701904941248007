import { createBootstrapObjects } from '../../../shared/aws/bootstrap-objects.ts';
import { createBootstrapSecrets } from '../../../shared/aws/bootstrap-secrets.ts';
import { createEc2Client } from '../../../shared/aws/clients/ec2.ts';
import { createS3Client } from '../../../shared/aws/clients/s3.ts';
import { createSecretsManagerClient } from '../../../shared/aws/clients/secrets-manager.ts';
import { createSsmClient } from '../../../shared/aws/clients/ssm.ts';
import { createEc2Instances } from '../../../shared/aws/ec2-instances.ts';
import { makeSealedRuntime } from '../../sealed-runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { makeInstanceSteps } from './steps.ts';

const runtime = makeSealedRuntime(process.env);
const ec2 = createEc2Instances(createEc2Client());
const bootstrapSecrets = createBootstrapSecrets({
  secretsManager: createSecretsManagerClient(),
  ssm: createSsmClient(),
});
const bootstrapObjects = createBootstrapObjects(createS3Client());

export const handler = makeStepHandler(
  'machine-instance',
  makeInstanceSteps({ ...runtime, ec2, bootstrapSecrets, bootstrapObjects }),
  runtime,
);
