import { createAutoScalingClient } from '../../../../shared/aws/clients/auto-scaling.ts';
import { createEc2Client } from '../../../../shared/aws/clients/ec2.ts';
import { createS3Client } from '../../../../shared/aws/clients/s3.ts';
import { createSsmClient } from '../../../../shared/aws/clients/ssm.ts';
import { readConfig } from '../../../../shared/config.ts';
import { createBootstrapObjects } from '../../../../shared/providers/aws/api/bootstrap-objects.ts';
import { ec2ImageReads } from '../../../../shared/providers/aws/api/ec2-image-reads.ts';
import { ec2LaunchReads } from '../../../../shared/providers/aws/api/ec2-launch-reads.ts';
import { ec2VolumeClaims } from '../../../../shared/providers/aws/api/ec2-volumes.ts';
import { createImageParameters } from '../../../../shared/providers/aws/api/image-parameters.ts';
import { createAutoScalingGroups } from '../../../../shared/providers/aws/machine-pool/api.ts';
import { createLaunchTemplates } from '../../../../shared/providers/aws/machine-pool/template-api.ts';
import { profilesIn } from '../../../../shared/providers/aws/plan/launch/profiles.ts';
import { makePerScope } from '../../../../shared/providers/aws/scope.ts';
import { makeSealedRuntime } from '../../../sealed-runtime.ts';
import { makeStepHandler } from '../../../step.ts';
import { runtimeScopeOf } from '../identity/runtime-scope.ts';
import { makePoolGroupSteps } from './steps.ts';

const runtime = makeSealedRuntime(process.env);
const pools = makePerScope((options) => {
  const ec2 = createEc2Client(options);
  return {
    groups: createAutoScalingGroups(createAutoScalingClient(options)),
    templates: createLaunchTemplates(ec2),
    bootstrapObjects: createBootstrapObjects(createS3Client(options)),
    ec2: { ...ec2LaunchReads(ec2), ...ec2ImageReads(ec2) },
    volumes: ec2VolumeClaims(ec2),
    imageParameters: createImageParameters(createSsmClient(options)),
  };
});

export const handler = makeStepHandler(
  'pool-group',
  makePoolGroupSteps({
    ...runtime,
    scopeOf: runtimeScopeOf(runtime, process.env),
    pools,
    instanceProfiles: profilesIn(readConfig(process.env, ['instanceProfiles']).instanceProfiles),
  }),
  runtime,
);
