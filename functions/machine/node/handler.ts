import { makeConnectWorkload } from '../../../shared/workload/connect.ts';
import { makeSealedRuntime } from '../../sealed-runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { makeNodeSteps } from './steps.ts';

/** An API server that has not answered by then is asked again at the next look. */
const REQUEST_MILLISECONDS = 5_000;

const runtime = makeSealedRuntime(process.env);
const connect = makeConnectWorkload({ deadline: () => AbortSignal.timeout(REQUEST_MILLISECONDS) });

export const handler = makeStepHandler('machine-node', makeNodeSteps({ ...runtime, connect }), runtime);
