import { capacityOf } from './members.ts';
import { atRisk } from './rebalance.ts';
import type { Group } from './records.ts';
import { refreshSurge } from './refresh/pace.ts';
import type { AutoScaling } from './state.ts';

/**
 * How far a group currently exceeds its desired capacity, so that instances are replaced before they are terminated.
 */
export const surgeOf = (as: AutoScaling, group: Group): number => capacityOf(atRisk(as, group)) + refreshSurge(group);
