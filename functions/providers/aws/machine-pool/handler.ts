import { createAutoScalingClient } from '../../../../shared/aws/clients/auto-scaling.ts';
import { createEc2Client } from '../../../../shared/aws/clients/ec2.ts';
import { createSsmClient } from '../../../../shared/aws/clients/ssm.ts';
import { readConfig } from '../../../../shared/config.ts';
import { createEc2Instances } from '../../../../shared/providers/aws/api/ec2-instances.ts';
import { createImageParameters } from '../../../../shared/providers/aws/api/image-parameters.ts';
import { createAutoScalingGroups } from '../../../../shared/providers/aws/machine-pool/api.ts';
import { createDrainWaits } from '../../../../shared/providers/aws/machine-pool/drain-waits.ts';
import { createLaunchTemplates } from '../../../../shared/providers/aws/machine-pool/template-api.ts';
import { profilesIn } from '../../../../shared/providers/aws/plan/launch/profiles.ts';
import { makePerScope } from '../../../../shared/providers/aws/scope.ts';
import { makeSealedRuntime } from '../../../sealed-runtime.ts';
import { makeStepHandler } from '../../../step.ts';
import { makeBootstrapStores } from '../bootstrap-stores.ts';
import { runtimeScopeOf } from '../identity/runtime-scope.ts';
import { createCapacityMemory } from '../instance/capacity-memory.ts';
import { makePoolGroupSteps } from './steps.ts';

const runtime = makeSealedRuntime(process.env);
const ec2 = makePerScope((options) => createEc2Instances(createEc2Client(options)));
const launches = makePerScope((options) => ({
  imageParameters: createImageParameters(createSsmClient(options)),
  capacity: createCapacityMemory(),
  waits: createDrainWaits(createAutoScalingClient(options)),
}));
const pools = makePerScope((options) => ({
  groups: createAutoScalingGroups(createAutoScalingClient(options)),
  templates: createLaunchTemplates(createEc2Client(options)),
}));

export const handler = makeStepHandler(
  'pool-group',
  makePoolGroupSteps({
    ...runtime,
    scopeOf: runtimeScopeOf(runtime, process.env),
    ...{ ec2, launches, pools },
    stores: makeBootstrapStores(),
    instanceProfiles: profilesIn(readConfig(process.env, ['instanceProfiles']).instanceProfiles),
  }),
  runtime,
);
