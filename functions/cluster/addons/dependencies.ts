import type { Clock } from '../../../shared/clock.ts';
import type { ObjectClient } from '../../../shared/kube-api/client.ts';
import type { ConnectWorkload } from '../../../shared/workload/client.ts';

/** What the step `addons` works with. */
export interface AddonsDependencies {
  objects: ObjectClient;
  connect: ConnectWorkload;
  clock: Clock;
}
