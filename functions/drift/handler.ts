import { createDynamoDbClient } from '../../shared/aws/clients/dynamodb.ts';
import { readConfig, readReach } from '../../shared/config.ts';
import { KINDS } from '../../shared/kinds/index.ts';
import { brakeLimitsOf } from '../../shared/plan/drift/brake.ts';
import { readSyncedKeys } from '../../shared/plan/machines/node-metadata.ts';
import { createExports } from '../../shared/store/exports.ts';
import { makeFindAffected } from '../api/find-affected.ts';
import { makeCallExtension } from '../extensions/call.ts';
import { observed } from '../observed.ts';
import {
  makeBalancingViews,
  makeDeletedSecrets,
  makeImageListings,
  makeNetworkViews,
  makePoolListings,
  makeRepairs,
  makeScheduledFleets,
  makeSweptObjects,
  makeSweptSecrets,
} from '../providers/aws/drift/fleet.ts';
import { makeSweepPort } from '../providers/aws/drift/sweep.ts';
import { runtimeScopeOf } from '../providers/aws/identity/runtime-scope.ts';
import { makeSealedRuntime } from '../sealed-runtime.ts';
import { withBoundedStorage } from './bounded-lists.ts';
import type { DriftDependencies } from './dependencies.ts';
import { concludeSweep } from './measure-sweep.ts';
import { PASSING_LIMITS } from './memory-limits.ts';
import { shardsOf } from './shards.ts';
import { sweep } from './sweep.ts';
import { sweepShards } from './sweep-shards.ts';

const runtime = makeSealedRuntime(process.env);
/** No workflow retries a sweep, and its few calls list everything. */
const PATIENCE_MILLISECONDS = 20_000;
const scopeOf = runtimeScopeOf(runtime, process.env, { patience: PATIENCE_MILLISECONDS });
const aws = {
  ...runtime,
  scopeOf,
  fleet: makeScheduledFleets(),
  repairs: makeRepairs(),
  secrets: makeDeletedSecrets(),
  bootstrapSecrets: makeSweptSecrets(),
  bootstrapObjects: makeSweptObjects(),
  network: makeNetworkViews(),
  balancing: makeBalancingViews(),
  pools: makePoolListings(),
  images: makeImageListings(runtime.clock),
};
/** A cluster that has not answered within this time is queried again in its next turn. */
const REQUEST_MILLISECONDS = 5_000;
/** The limit for all pages of a cluster's list of nodes, because other clusters wait for their turn. */
const CLIENT_MILLISECONDS = 10_000;

const connect = async () => {
  const { makeConnectWorkload } = await import('../../shared/workload/connect.ts');
  return makeConnectWorkload({
    deadline: () => AbortSignal.timeout(REQUEST_MILLISECONDS),
    lifetime: () => AbortSignal.timeout(CLIENT_MILLISECONDS),
    reach: readReach(process.env),
  });
};
const affected: DriftDependencies['affected'] = (write) =>
  makeFindAffected({ kinds: KINDS, storage: withBoundedStorage(runtime.storage, PASSING_LIMITS) }).ofPledge(write);
const callExtension = makeCallExtension({
  deadline: (milliseconds) => AbortSignal.timeout(milliseconds),
  reach: readReach(process.env),
});
const synced = readSyncedKeys(runtime.config);
const config = readConfig(process.env, ['sweepMinutes', 'sweepShards', 'fleetBrake']);
const brakeLimits = brakeLimitsOf(config.fleetBrake);
const fleetBrake = runtime.fleetBrake(brakeLimits);
const { exportedTable } = runtime.config;
const exports = exportedTable && createExports({ client: createDynamoDbClient(), tableArn: exportedTable });
const sweepMinutes = Number(config.sweepMinutes);

/** Invoked by the schedule, which passes the number of a part (`shard`) if the fleet is swept in parts, or manually. */
export const handler = observed(runtime, async (event: unknown) => {
  const log = runtime.log.with({ function: 'drift' });
  const providers = { aws: makeSweepPort({ ...aws, log }) };
  const common = {
    ...runtime,
    log,
    providers,
    connect,
    affected,
    callExtension,
    synced,
    sweepMinutes,
    began: runtime.clock.now(),
    brakeLimits,
    fleetBrake,
    ...(exports ? { exports } : {}),
  };
  const shards = shardsOf(event, Number(config.sweepShards));
  return concludeSweep(runtime.metrics, await sweepShards(shards, (shard) => sweep({ ...common, shard })));
});
