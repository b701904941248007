import { capacityOf } from './members.ts';
import { atRisk } from './rebalance.ts';
import type { Group } from './records.ts';
import { refreshSurge } from './refresh/pace.ts';
import type { AutoScaling } from './state.ts';

/** How much more than its desired capacity a group has for now, so that instances are replaced before they go. */
export const surgeOf = (as: AutoScaling, group: Group): number => capacityOf(atRisk(as, group)) + refreshSurge(group);
