import type { Clock } from '../../shared/clock.ts';
import type { CallExtension } from '../../shared/extensions/transport.ts';
import type { Registry } from '../../shared/kube-api/registry/registry.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import type { ReadLimits } from '../../shared/kube-api/storage/read-budget.ts';
import type { Log } from '../../shared/log.ts';
import type { BrakeLimits } from '../../shared/plan/drift/brake.ts';
import type { SyncedKeys } from '../../shared/plan/machines/node-metadata.ts';
import type { Exports } from '../../shared/store/exports.ts';
import type { FleetBrake } from '../../shared/store/limits/fleet-brake.ts';
import type { Records } from '../../shared/store/records/records.ts';
import type { Touch } from '../../shared/store/work/executions.ts';
import type { PledgedWrite, PledgeStore } from '../../shared/store/work/pledges.ts';
import type { WorkStore } from '../../shared/store/work/work.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import type { ConnectWorkload } from '../../shared/workload/client.ts';
import type { ByProvider } from '../providers/ports.ts';
import type { SweepPort } from '../providers/sweep-port.ts';
import type { Shard } from './shards.ts';

/** The dependencies of the sweep. */
export interface DriftDependencies {
  objects: ObjectClient;
  records: Pick<Records, 'list' | 'end'>;
  work: Pick<WorkStore, 'due'>;
  touch: Touch;
  /** Touches that must not be lost. */
  pledges: PledgeStore;
  /** The clusters that a write affects. */
  affected(write: PledgedWrite): Promise<readonly ClusterRef[]>;
  collectGarbage: Registry['collectGarbage'];
  /** How each provider's cloud is read. */
  providers: ByProvider<SweepPort>;
  /** Opens clients of workload clusters; loaded by the first that is needed. */
  connect: () => Promise<ConnectWorkload>;
  /** Calls extensions of topologies; without it there are none. */
  callExtension?: CallExtension;
  /** Additional labels and annotations that nodes take over from their machines. */
  synced?: SyncedKeys;
  /** Without it, only lost instances suspend a sweep. */
  fleetBrake?: FleetBrake;
  /** The limits beyond which losses are considered implausible. */
  brakeLimits?: BrakeLimits;
  /** The memory for the objects of the sweep; by default a part of the function's memory. */
  memory?: ReadLimits;
  /** The exports of the table; without it there are none. */
  exports?: Exports;
  /** The part of the fleet that is swept. */
  shard: Shard;
  /** The interval of the sweep. */
  sweepMinutes: number;
  /** When the invocation began, whose time all its parts share; by default, a part has all of it. */
  began?: Date;
  clock: Clock;
  log: Log;
}

export const COMPONENT = 'drift';
