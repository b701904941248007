import type { Clock } from '../../../shared/clock.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { Touch } from '../../../shared/store/work/executions.ts';
import type { WorkStore } from '../../../shared/store/work/work.ts';
import type { BootstrapDeliveryPort, ByProvider } from '../../providers/ports.ts';

/** The dependencies of the object steps of a machine. */
export interface MachineObjectsDependencies {
  objects: ObjectClient;
  work: WorkStore;
  touch: Touch;
  clock: Clock;
  deliveries: ByProvider<BootstrapDeliveryPort>;
  /** The public address of the API; without it, the API servers of clusters report nothing. */
  apiUrl?: string;
}
