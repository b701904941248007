import type { Clock } from '../../../shared/clock.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { Log } from '../../../shared/log.ts';
import type { SyncedKeys } from '../../../shared/plan/machines/node-metadata.ts';
import type { FleetBrake } from '../../../shared/store/limits/fleet-brake.ts';
import type { WorkStore } from '../../../shared/store/work/work.ts';
import type { ConnectWorkload } from '../../../shared/workload/client.ts';
import type { ByProvider, WorkloadPort } from '../../providers/ports.ts';

/** The dependencies of a probe of the workload cluster. */
export interface ProbeDependencies {
  objects: ObjectClient;
  connect: ConnectWorkload;
  clock: Clock;
  log: Log;
  work: Pick<WorkStore, 'touch'>;
  /** Without it, only the health checks themselves limit remediation. */
  fleetBrake?: Pick<FleetBrake, 'holds'>;
  /** The additional labels and annotations that nodes take over from their machines. */
  synced?: SyncedKeys;
  providers: ByProvider<WorkloadPort>;
}
