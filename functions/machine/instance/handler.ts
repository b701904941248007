import { createEc2Client } from '../../../shared/aws/clients/ec2.ts';
import { createEc2Instances } from '../../../shared/aws/ec2-instances.ts';
import { makePerScope } from '../../../shared/aws/scope.ts';
import { runtimeScopeOf } from '../../identity/runtime-scope.ts';
import { makeSealedRuntime } from '../../sealed-runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { makeBootstrapStores } from '../bootstrap-stores.ts';
import { makeInstanceSteps } from './steps.ts';

const runtime = makeSealedRuntime(process.env);
const ec2 = makePerScope((options) => createEc2Instances(createEc2Client(options)));

export const handler = makeStepHandler(
  'machine-instance',
  makeInstanceSteps({ ...runtime, scopeOf: runtimeScopeOf(runtime, process.env), ec2, stores: makeBootstrapStores() }),
  runtime,
);
