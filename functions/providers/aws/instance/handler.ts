import { createAutoScalingClient } from '../../../../shared/aws/clients/auto-scaling.ts';
import { createSsmClient } from '../../../../shared/aws/clients/ssm.ts';
import { readConfig } from '../../../../shared/config.ts';
import { connectEc2Instances } from '../../../../shared/providers/aws/api/ec2-instances.ts';
import { createImageParameters } from '../../../../shared/providers/aws/api/image-parameters.ts';
import { shareCalls } from '../../../../shared/providers/aws/api/shared-instances.ts';
import { createDrainWaits } from '../../../../shared/providers/aws/machine-pool/drain-waits.ts';
import { profilesIn } from '../../../../shared/providers/aws/plan/launch/profiles.ts';
import { makePerScope } from '../../../../shared/providers/aws/scope.ts';
import { patient } from '../../../patient.ts';
import { makeSealedRuntime } from '../../../sealed-runtime.ts';
import { makeStepHandler } from '../../../step.ts';
import { makeBootstrapStores } from '../bootstrap-stores.ts';
import { runtimeScopeOf } from '../identity/runtime-scope.ts';
import { createCapacityMemory } from './capacity-memory.ts';
import { makeInstanceSteps } from './steps.ts';

const runtime = makeSealedRuntime(process.env);
const ec2 = makePerScope((options) => shareCalls(connectEc2Instances(options), runtime.clock));
const launches = makePerScope((options) => ({
  imageParameters: createImageParameters(createSsmClient(options)),
  capacity: createCapacityMemory(),
  waits: createDrainWaits(createAutoScalingClient(options)),
}));

/** A short limit, because all machines of a cluster are launched at once, each in its own process. */
const patience = { clock: runtime.clock, seconds: 3 };

const steps = makeInstanceSteps({
  ...runtime,
  scopeOf: runtimeScopeOf(runtime, process.env),
  ec2,
  stores: makeBootstrapStores(),
  launches,
  instanceProfiles: profilesIn(readConfig(process.env, ['instanceProfiles']).instanceProfiles),
});

export const handler = makeStepHandler(
  'machine-instance',
  {
    ...steps,
    observeInstance: patient(steps.observeInstance, patience),
    terminateInstance: patient(steps.terminateInstance, patience),
  },
  runtime,
);
