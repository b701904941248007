import { readReach } from '../../../shared/config.ts';
import { readSyncedKeys } from '../../../shared/plan/machines/node-metadata.ts';
import { makeConnectWorkload } from '../../../shared/workload/connect.ts';
import { patient } from '../../patient.ts';
import { makeSealedRuntime } from '../../sealed-runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { makeNodeSteps } from './steps.ts';

/** An API server that has not responded within this time is queried again at the next check. */
const REQUEST_MILLISECONDS = 5_000;

/** etcdctl has a limit of five seconds for a command, and of two seconds for each member that does not respond. */
const COMMAND_MILLISECONDS = 15_000;

/** The function has 60 seconds, which a server with slow responses must not use up. */
const CLIENT_MILLISECONDS = 45_000;

const runtime = makeSealedRuntime(process.env);
const connect = makeConnectWorkload({
  deadline: () => AbortSignal.timeout(REQUEST_MILLISECONDS),
  commandDeadline: () => AbortSignal.timeout(COMMAND_MILLISECONDS),
  lifetime: () => AbortSignal.timeout(CLIENT_MILLISECONDS),
  reach: readReach(process.env),
});

/**
 * One execution watches for all machines of a cluster, so it may run as long as its last, slow poll still fits into the
 * function's time. Removals run separately for each machine.
 */
const WATCH_SECONDS = 12;
const REMOVAL_SECONDS = 3;

const { clock } = runtime;
const steps = makeNodeSteps({ ...runtime, synced: readSyncedKeys(runtime.config), connect });

export const handler = makeStepHandler(
  'machine-node',
  {
    ...steps,
    watchNodes: patient(steps.watchNodes, { clock, seconds: WATCH_SECONDS }),
    drainNode: patient(steps.drainNode, { clock, seconds: REMOVAL_SECONDS }),
    leaveEtcd: patient(steps.leaveEtcd, { clock, seconds: REMOVAL_SECONDS }),
  },
  runtime,
);
