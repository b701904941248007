import type { BootstrapObjects } from '../../../shared/aws/bootstrap-objects.ts';
import type { BootstrapSecrets } from '../../../shared/aws/bootstrap-secrets.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { ObjectClient } from '../../../shared/kube-api/client.ts';
import type { Touch } from '../../../shared/store/executions.ts';
import type { WorkStore } from '../../../shared/store/work.ts';

/** What the object steps of a machine work with. */
export interface MachineObjectsDependencies {
  objects: ObjectClient;
  work: WorkStore;
  touch: Touch;
  clock: Clock;
  bootstrapSecrets: BootstrapSecrets;
  bootstrapObjects: BootstrapObjects;
}
