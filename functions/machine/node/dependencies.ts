import type { Clock } from '../../../shared/clock.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { SyncedKeys } from '../../../shared/plan/machines/node-metadata.ts';
import type { Touch } from '../../../shared/store/work/executions.ts';
import type { PledgeStore } from '../../../shared/store/work/pledges.ts';
import type { WorkStore } from '../../../shared/store/work/work.ts';
import type { ConnectWorkload } from '../../../shared/workload/client.ts';

/** The dependencies of the node steps of a machine. */
export interface NodeDependencies {
  objects: ObjectClient;
  work: WorkStore;
  touch: Touch;
  pledges: Pick<PledgeStore, 'give' | 'redeem'>;
  connect: ConnectWorkload;
  /** Additional labels and annotations that are copied from machines to their nodes. */
  synced?: SyncedKeys;
  clock: Clock;
}
