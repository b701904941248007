import { createElbv2Client } from '../../../shared/aws/clients/elbv2.ts';
import { createTargets } from '../../../shared/aws/elbv2-targets.ts';
import { makeRuntime } from '../../runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { makeTargetSteps } from './steps.ts';

const runtime = makeRuntime(process.env);

export const handler = makeStepHandler(
  'machine-target',
  makeTargetSteps({ ...runtime, targets: createTargets(createElbv2Client()) }),
  runtime,
);
