import type { Clock } from '../../../shared/clock.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { WorkStore } from '../../../shared/store/work/work.ts';
import type { ConnectWorkload } from '../../../shared/workload/client.ts';
import type { RunOnHost } from './ssh/connect.ts';

/** The dependencies of the provider's steps. */
export interface HostsDependencies {
  objects: ObjectClient;
  work: Pick<WorkStore, 'extendMachine' | 'recordRemoval'>;
  clock: Clock;
  run: RunOnHost;
  connect: ConnectWorkload;
}
