import type { Cluster } from '../../kinds/index.ts';
import { type IdleReason, isServedOtherwise, wasServed } from '../duties/condition.ts';
import type { ConditionClaim } from '../status/conditions.ts';
import type { FailedRoute } from './wanted.ts';

/**
 * Windlass's own condition of a Cluster: whether the pods on its nodes can be reached through routes of its network.
 */
const PODS_ROUTED = 'windlass.dev/PodsRouted';

/** The number of failures that a message lists; the nodes have separate events. */
const MOST_LISTED = 5;
const MOST_CHARACTERS = 300;

const lineOf = ({ name, block, message }: FailedRoute): string =>
  `Node ${name}, ${block.slice(0, 50)}: ${message}`.slice(0, MOST_CHARACTERS);

/** The condition after the routes were checked. `waiting`: the number of routes beyond what one pass handles. */
export const routedClaim = (
  nodes: number,
  failed: readonly FailedRoute[],
  remaining: readonly string[],
  waiting: number,
): ConditionClaim => {
  const later = waiting > 0 ? [`${waiting} routes wait for a later pass`] : [];
  const problems = [...failed.map(lineOf), ...remaining.map((text) => text.slice(0, MOST_CHARACTERS))];
  if (problems.length === 0) {
    const message = [`${nodes} nodes have routes to their pods`, ...later].join('; ');
    return { type: PODS_ROUTED, status: 'True', reason: 'Routed', message };
  }
  const more = problems.length > MOST_LISTED ? [`and ${problems.length - MOST_LISTED} more`] : [];
  const message = [...problems.slice(0, MOST_LISTED), ...more, ...later].join('\n');
  return { type: PODS_ROUTED, status: 'False', reason: 'RoutesFailed', message };
};

/** The condition if no route was checked. */
export const unroutedClaim = (
  reason: IdleReason | 'NoPodNetwork' | 'NoRouteTable',
  message: string,
): ConditionClaim => ({ type: PODS_ROUTED, status: 'False', reason, message });

/** Whether no check is worthwhile now. */
export const isRoutedOtherwise = (cluster: Cluster, isHourly: boolean): boolean =>
  isServedOtherwise(cluster, PODS_ROUTED, isHourly);

/** Whether the condition is older than the removal of the annotation. */
export const wasRouted = (cluster: Cluster): boolean => wasServed(cluster, PODS_ROUTED);
