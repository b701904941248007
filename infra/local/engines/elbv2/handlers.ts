import type * as sdk from '@aws-sdk/client-elastic-load-balancing-v2';
import type { Handlers } from '../wire/handlers.ts';
import { listenerActions } from './listeners.ts';
import { loadBalancerActions } from './load-balancers.ts';
import type { DataPath, Elb } from './state.ts';
import { tagActions } from './tags.ts';
import { targetGroupActions } from './target-groups.ts';
import { targetActions } from './targets.ts';

/** All operations of the simulated load balancing of a region. */
export const elbHandlers = (elb: Elb, dataPath: DataPath): Handlers<typeof sdk> => ({
  ...loadBalancerActions(elb, dataPath),
  ...listenerActions(elb, dataPath),
  ...targetGroupActions(elb),
  ...targetActions(elb, dataPath),
  ...tagActions(elb),
});
