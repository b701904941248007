import type { Clock } from '../../../shared/clock.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { ConnectWorkload } from '../../../shared/workload/client.ts';

/** The dependencies of the step `addons`. */
export interface AddonsDependencies {
  objects: ObjectClient;
  connect: ConnectWorkload;
  clock: Clock;
}
