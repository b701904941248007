import { createClassicElbClient } from '../../../../shared/aws/clients/classic-elb.ts';
import { createElbv2Client } from '../../../../shared/aws/clients/elbv2.ts';
import { createClassicTargets } from '../../../../shared/providers/aws/api/classic-elb-targets.ts';
import { createTargets, shareGroups } from '../../../../shared/providers/aws/api/elbv2-targets.ts';
import { makePerScope } from '../../../../shared/providers/aws/scope.ts';
import { makeSealedRuntime } from '../../../sealed-runtime.ts';
import { makeStepHandler } from '../../../step.ts';
import { runtimeScopeOf } from '../identity/runtime-scope.ts';
import { makeTargetSteps } from './steps.ts';

const runtime = makeSealedRuntime(process.env);
const classicTargets = makePerScope((options) => createClassicTargets(createClassicElbClient(options)));
const targets = makePerScope((options) => shareGroups(createTargets(createElbv2Client(options)), runtime.clock));

export const handler = makeStepHandler(
  'machine-target',
  makeTargetSteps({ ...runtime, scopeOf: runtimeScopeOf(runtime, process.env), targets, classicTargets }),
  runtime,
);
