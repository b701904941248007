import { createEc2Client } from '../../../shared/aws/clients/ec2.ts';
import { readConfig, readReach } from '../../../shared/config.ts';
import { brakeLimitsOf } from '../../../shared/plan/drift/brake.ts';
import { readSyncedKeys } from '../../../shared/plan/machines/node-metadata.ts';
import { createEc2Capacity } from '../../../shared/providers/aws/api/ec2-capacity.ts';
import { makePerScope } from '../../../shared/providers/aws/scope.ts';
import { makeConnectWorkload } from '../../../shared/workload/connect.ts';
import { makeFleets } from '../../providers/aws/fleet.ts';
import { runtimeScopeOf } from '../../providers/aws/identity/runtime-scope.ts';
import { createRoutePort } from '../../providers/aws/routes/create-port.ts';
import { createBalancerPort } from '../../providers/aws/services/create-port.ts';
import { makeWorkloadPort } from '../../providers/aws/workload-port.ts';
import { makeSealedRuntime } from '../../sealed-runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { makeWorkloadSteps } from './steps.ts';

/** If the API server has not answered within this time, the next pass tries again. */
const REQUEST_MILLISECONDS = 5_000;

/** etcdctl has a timeout of five seconds for a command, and of two seconds for each member that does not answer. */
const COMMAND_MILLISECONDS = 15_000;

/** The function has 60 seconds, and a probe may open two clients in that time. */
const CLIENT_MILLISECONDS = 25_000;

const runtime = makeSealedRuntime(process.env);
const connect = makeConnectWorkload({
  deadline: () => AbortSignal.timeout(REQUEST_MILLISECONDS),
  commandDeadline: () => AbortSignal.timeout(COMMAND_MILLISECONDS),
  lifetime: () => AbortSignal.timeout(CLIENT_MILLISECONDS),
  reach: readReach(process.env),
});

const scopeOf = runtimeScopeOf(runtime, process.env);

const dependencies = {
  ...runtime,
  connect,
  providers: {
    aws: makeWorkloadPort({
      scopeOf,
      balancers: createBalancerPort(scopeOf),
      routes: createRoutePort(scopeOf),
      fleet: makeFleets(),
      capacity: makePerScope((options) => createEc2Capacity(createEc2Client(options))),
    }),
  },
  synced: readSyncedKeys(runtime.config),
  fleetBrake: runtime.fleetBrake(brakeLimitsOf(readConfig(process.env, ['fleetBrake']).fleetBrake)),
};

export const handler = makeStepHandler('cluster-workload', makeWorkloadSteps(dependencies), runtime);
