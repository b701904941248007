import { readReach } from '../../../shared/config.ts';
import { makeConnectWorkload } from '../../../shared/workload/connect.ts';
import { makeSealedRuntime } from '../../sealed-runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { makeRunOnHost } from './ssh/connect.ts';
import { makeHostsSteps } from './steps.ts';

/** The function has 60 seconds and may try three hosts. */
const HOST_MILLISECONDS = 15_000;

/** An API server that has not answered within this time is queried again at the next check. */
const REQUEST_MILLISECONDS = 5_000;
const CLIENT_MILLISECONDS = 20_000;

const runtime = makeSealedRuntime(process.env);
const connect = makeConnectWorkload({
  deadline: () => AbortSignal.timeout(REQUEST_MILLISECONDS),
  commandDeadline: () => AbortSignal.timeout(REQUEST_MILLISECONDS),
  lifetime: () => AbortSignal.timeout(CLIENT_MILLISECONDS),
  reach: readReach(process.env),
});
const run = makeRunOnHost({
  reach: readReach(process.env),
  deadline: () => AbortSignal.timeout(HOST_MILLISECONDS),
});

export const handler = makeStepHandler('hosts', makeHostsSteps({ ...runtime, run, connect }), runtime);
