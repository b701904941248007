import { readReach } from '../../../shared/config.ts';
import { makeSealedRuntime } from '../../sealed-runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { makeRunOnHost } from './ssh/connect.ts';
import { makeHostsSteps } from './steps.ts';

/** The function has 60 seconds, and may try three hosts. */
const HOST_MILLISECONDS = 15_000;

const runtime = makeSealedRuntime(process.env);
const run = makeRunOnHost({
  reach: readReach(process.env),
  deadline: () => AbortSignal.timeout(HOST_MILLISECONDS),
});

export const handler = makeStepHandler('hosts', makeHostsSteps({ ...runtime, run }), runtime);
