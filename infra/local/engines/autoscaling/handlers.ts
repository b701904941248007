import type * as sdk from '@aws-sdk/client-auto-scaling';
import type { Call } from '../wire/call.ts';
import type { AnyHandlers, Handlers } from '../wire/handlers.ts';
import { activityActions } from './handlers/activities.ts';
import { groupActions } from './handlers/groups.ts';
import { hookActions } from './handlers/hooks.ts';
import { instanceActions } from './handlers/instances.ts';
import { membershipActions } from './handlers/membership.ts';
import { processActions } from './handlers/processes.ts';
import { refreshActions } from './handlers/refreshes.ts';
import { tagActions } from './handlers/tags.ts';
import { trafficActions } from './handlers/traffic.ts';
import { warmPoolActions } from './handlers/warm-pools.ts';
import { settle } from './settle.ts';
import type { AutoScaling } from './state.ts';

/** Each call finds the groups in their current state, and its changes begin before it is answered. */
const settled =
  (as: AutoScaling, handler: NonNullable<AnyHandlers[string]>) =>
  (input: object, call: Call): unknown => {
    settle(as);
    const output = handler(input, call);
    settle(as);
    return output;
  };

/** All operations of the simulated Auto Scaling of a region. */
export const autoScalingHandlers = (as: AutoScaling): Handlers<typeof sdk> => {
  const handlers: Handlers<typeof sdk> = {
    ...groupActions(as),
    ...instanceActions(as),
    ...activityActions(as),
    ...tagActions(as),
    ...hookActions(as),
    ...warmPoolActions(as),
    ...refreshActions(as),
    ...processActions(as),
    ...membershipActions(as),
    ...trafficActions(as),
  };
  const entries = Object.entries(handlers as AnyHandlers);
  return Object.fromEntries(entries.map(([name, handler]) => [name, handler && settled(as, handler)]));
};
