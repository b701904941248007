import type { Cluster } from '../../kinds/index.ts';
import { type IdleReason, isServedOtherwise, isUnreached, wasServed } from '../duties/condition.ts';
import type { Retry } from '../duties/retry.ts';
import type { ConditionClaim } from '../status/conditions.ts';
import { serviceKey, type UnreadService } from './service.ts';

/** Windlass's own condition of a Cluster: whether its Services of type LoadBalancer have their load balancers. */
const SERVICES_BALANCED = 'windlass.dev/ServicesBalanced';

/** The number of failures that a message lists; the Services have separate events. */
const MOST_LISTED = 5;
const MOST_CHARACTERS = 300;

export interface FailedService {
  readonly key: string;
  readonly message: string;
  readonly retry: Retry;
}

/** The failure of a Service that cannot be read. */
export const unreadFailure = (service: UnreadService): FailedService => ({
  key: serviceKey(service),
  message: `${service.unreadField}: too long or of an unknown form, so its load balancer is left as it is`,
  retry: 'never',
});

const named = ({ key, message }: FailedService): string => `Service ${key}: ${message.slice(0, MOST_CHARACTERS)}`;

/**
 * The condition after the Services were checked. `waiting`: the number of Services beyond what one pass handles.
 * `warnings`: about Services that have their load balancers.
 */
export const balancedClaim = (
  count: number,
  failed: readonly FailedService[],
  waiting: number,
  warnings: readonly string[],
): ConditionClaim => {
  const distinct = [...new Set(warnings)].slice(0, MOST_LISTED).map((text) => text.slice(0, MOST_CHARACTERS));
  const later = [...(waiting > 0 ? [`${waiting} more Services wait for a later pass`] : []), ...distinct];
  if (failed.length === 0) {
    const message = [`${count} Services have load balancers`, ...later].join('; ');
    return { type: SERVICES_BALANCED, status: 'True', reason: 'Balanced', message };
  }
  const lines = [...failed.slice(0, MOST_LISTED).map(named), ...later];
  const more = failed.length > MOST_LISTED ? [`and ${failed.length - MOST_LISTED} more`] : [];
  return {
    type: SERVICES_BALANCED,
    status: 'False',
    reason: 'ServicesFailed',
    message: [...lines, ...more].join('\n'),
  };
};

/** The condition if no Service was checked. */
export const unbalancedClaim = (reason: IdleReason, message: string): ConditionClaim => ({
  type: SERVICES_BALANCED,
  status: 'False',
  reason,
  message,
});

/** Whether no check is worthwhile now. */
export const isBalancedOtherwise = (cluster: Cluster, isHourly: boolean): boolean =>
  isServedOtherwise(cluster, SERVICES_BALANCED, isHourly);

/** Whether the condition says that the Services could not be read. */
export const areServicesUnreached = (cluster: Cluster): boolean => isUnreached(cluster, SERVICES_BALANCED);

/** Whether the condition is older than the removal of the annotation. */
export const wasBalanced = (cluster: Cluster): boolean => wasServed(cluster, SERVICES_BALANCED);
