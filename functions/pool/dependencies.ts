import type { Clock } from '../../shared/clock.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import type { Touch } from '../../shared/store/work/executions.ts';
import type { MachineLeases } from '../../shared/store/work/work.ts';

/** The dependencies of the object steps of a pool. A pool's lease has the same form as a machine's. */
export interface PoolDependencies {
  objects: ObjectClient;
  work: MachineLeases;
  touch: Touch;
  clock: Clock;
}
