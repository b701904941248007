import type { Clock } from '../../shared/clock.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import type { Log } from '../../shared/log.ts';
import type { FindByGroup } from '../../shared/store/indexes/group-index.ts';
import type { FindByInstance } from '../../shared/store/indexes/instance-index.ts';
import type { Touch } from '../../shared/store/work/executions.ts';
import type { PledgeStore } from '../../shared/store/work/pledges.ts';
import type { WorkStore } from '../../shared/store/work/work.ts';
import type { EventPort } from '../providers/event-port.ts';
import type { ByProvider } from '../providers/ports.ts';
import type { FindOwners } from './find-owners.ts';

/** The dependencies of event handling. */
export interface EventDependencies {
  objects: ObjectClient;
  findByInstance: FindByInstance;
  findByGroup: FindByGroup;
  findOwners: FindOwners;
  touch: Touch;
  work: Pick<WorkStore, 'get' | 'release'>;
  /** Touches that must not be lost. */
  pledges: Pick<PledgeStore, 'give' | 'redeem'>;
  providers: ByProvider<EventPort>;
  clock: Clock;
  log: Log;
}

export const COMPONENT = 'instance-events';
