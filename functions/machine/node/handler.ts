import { readSyncedKeys } from '../../../shared/plan/machines/node-metadata.ts';
import { makeConnectWorkload } from '../../../shared/workload/connect.ts';
import { makeSealedRuntime } from '../../sealed-runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { makeNodeSteps } from './steps.ts';

/** An API server that has not answered by then is asked again at the next look. */
const REQUEST_MILLISECONDS = 5_000;

/** etcdctl gives itself five seconds for a command, and two for each member that does not answer. */
const COMMAND_MILLISECONDS = 15_000;

const runtime = makeSealedRuntime(process.env);
const connect = makeConnectWorkload({
  deadline: () => AbortSignal.timeout(REQUEST_MILLISECONDS),
  commandDeadline: () => AbortSignal.timeout(COMMAND_MILLISECONDS),
});

export const handler = makeStepHandler(
  'machine-node',
  makeNodeSteps({ ...runtime, synced: readSyncedKeys(runtime.config), connect }),
  runtime,
);
