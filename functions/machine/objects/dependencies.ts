import type { Clock } from '../../../shared/clock.ts';
import type { ObjectClient } from '../../../shared/kube-api/client.ts';
import type { PerScope } from '../../../shared/providers/aws/scope.ts';
import type { Touch } from '../../../shared/store/executions.ts';
import type { WorkStore } from '../../../shared/store/work.ts';
import type { ScopeOf } from '../../providers/aws/aws-scope.ts';
import type { BootstrapStores } from '../../providers/aws/bootstrap-stores.ts';

/** What the object steps of a machine work with. */
export interface MachineObjectsDependencies {
  objects: ObjectClient;
  work: WorkStore;
  touch: Touch;
  clock: Clock;
  scopeOf: ScopeOf;
  stores: PerScope<BootstrapStores>;
}
