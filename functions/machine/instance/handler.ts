import { createEc2Client } from '../../../shared/aws/clients/ec2.ts';
import { createSsmClient } from '../../../shared/aws/clients/ssm.ts';
import { createEc2Instances } from '../../../shared/aws/ec2-instances.ts';
import { createImageParameters } from '../../../shared/aws/image-parameters.ts';
import { makePerScope } from '../../../shared/aws/scope.ts';
import { shareCalls } from '../../../shared/aws/shared-instances.ts';
import { readConfig } from '../../../shared/config.ts';
import { profilesIn } from '../../../shared/plan/launch/profiles.ts';
import { runtimeScopeOf } from '../../identity/runtime-scope.ts';
import { makeSealedRuntime } from '../../sealed-runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { makeBootstrapStores } from '../bootstrap-stores.ts';
import { createCapacityMemory } from './capacity-memory.ts';
import { makeInstanceSteps } from './steps.ts';

const runtime = makeSealedRuntime(process.env);
const ec2 = makePerScope((options) => shareCalls(createEc2Instances(createEc2Client(options)), runtime.clock));
const launches = makePerScope((options) => ({
  imageParameters: createImageParameters(createSsmClient(options)),
  capacity: createCapacityMemory(),
}));

export const handler = makeStepHandler(
  'machine-instance',
  makeInstanceSteps({
    ...runtime,
    scopeOf: runtimeScopeOf(runtime, process.env),
    ec2,
    stores: makeBootstrapStores(),
    launches,
    instanceProfiles: profilesIn(readConfig(process.env, ['instanceProfiles']).instanceProfiles),
  }),
  runtime,
);
