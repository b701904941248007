import type { Cluster } from '../../kinds/index.ts';
import { type IdleReason, isServedOtherwise, wasServed } from '../duties/condition.ts';
import type { ConditionClaim } from '../status/conditions.ts';
import type { FailedRoute } from './wanted.ts';

/** Ours, of a Cluster: whether the pods of its nodes can be reached by routes of its network. */
const PODS_ROUTED = 'windlass.dev/PodsRouted';

/** Failures that a message lists; the nodes have events of their own. */
const MOST_LISTED = 5;
const MOST_CHARACTERS = 300;

const lineOf = ({ name, block, message }: FailedRoute): string =>
  `Node ${name}, ${block.slice(0, 50)}: ${message}`.slice(0, MOST_CHARACTERS);

/** What the condition says of routes that were looked at. `waiting`: routes beyond what one pass handles. */
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

/** Why no route was looked at. */
export const unroutedClaim = (
  reason: IdleReason | 'NoPodNetwork' | 'NoRouteTable',
  message: string,
): ConditionClaim => ({ type: PODS_ROUTED, status: 'False', reason, message });

/** Whether no look is worthwhile now. */
export const isRoutedOtherwise = (cluster: Cluster, isHourly: boolean): boolean =>
  isServedOtherwise(cluster, PODS_ROUTED, isHourly);

/** Whether the condition is older than the removal of the annotation. */
export const wasRouted = (cluster: Cluster): boolean => wasServed(cluster, PODS_ROUTED);
