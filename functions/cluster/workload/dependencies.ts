import type { Clock } from '../../../shared/clock.ts';
import type { ObjectClient } from '../../../shared/kube-api/client.ts';
import type { Log } from '../../../shared/log.ts';
import type { SyncedKeys } from '../../../shared/plan/machines/node-metadata.ts';
import type { Ec2Fleet } from '../../../shared/providers/aws/api/ec2-fleet.ts';
import type { PerScope } from '../../../shared/providers/aws/scope.ts';
import type { WorkStore } from '../../../shared/store/work.ts';
import type { ConnectWorkload } from '../../../shared/workload/client.ts';
import type { ScopeOf } from '../../providers/aws/aws-scope.ts';
import type { CapacityDependencies } from './template-capacity.ts';

export interface ProbeDependencies extends Pick<CapacityDependencies, 'capacity'> {
  objects: ObjectClient;
  connect: ConnectWorkload;
  clock: Clock;
  log: Log;
  work: Pick<WorkStore, 'touch'>;
  /** What else nodes take over from their machines. */
  synced?: SyncedKeys;
  scopeOf: ScopeOf;
  fleet: PerScope<Pick<Ec2Fleet, 'statesOf'>>;
}
