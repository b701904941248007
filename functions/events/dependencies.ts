import type { Ec2Fleet } from '../../shared/aws/ec2-fleet.ts';
import type { Clock } from '../../shared/clock.ts';
import type { ObjectClient } from '../../shared/kube-api/client.ts';
import type { Log } from '../../shared/log.ts';
import type { Touch } from '../../shared/store/executions.ts';
import type { FindByInstance } from '../../shared/store/instance-index.ts';

/** What the handling of EC2's events works with. */
export interface EventDependencies {
  objects: ObjectClient;
  findByInstance: FindByInstance;
  touch: Touch;
  /** The instances of a region. */
  fleet: (region: string | undefined) => Pick<Ec2Fleet, 'statesOf'>;
  clock: Clock;
  log: Log;
}

export const COMPONENT = 'instance-events';
