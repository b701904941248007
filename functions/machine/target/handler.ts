import { createElbv2Client } from '../../../shared/aws/clients/elbv2.ts';
import { createTargets } from '../../../shared/aws/elbv2-targets.ts';
import { makePerScope } from '../../../shared/aws/scope.ts';
import { runtimeScopeOf } from '../../identity/runtime-scope.ts';
import { makeSealedRuntime } from '../../sealed-runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { makeTargetSteps } from './steps.ts';

const runtime = makeSealedRuntime(process.env);
const targets = makePerScope((options) => createTargets(createElbv2Client(options)));

export const handler = makeStepHandler(
  'machine-target',
  makeTargetSteps({ ...runtime, scopeOf: runtimeScopeOf(runtime, process.env), targets }),
  runtime,
);
