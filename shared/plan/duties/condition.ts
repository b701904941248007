import type { Cluster } from '../../kinds/index.ts';
import { type ConditionClaim, findCondition, isStated } from '../status/conditions.ts';

/** Conditions about the duties of a cloud controller manager that Windlass takes over. */

/** Why nothing was looked at. */
export type IdleReason = 'NotOffered' | 'OtherController' | 'NotReached' | 'CloudFailed' | 'NotRequested';

/**
 * Whether no look is worthwhile: until something else in the cluster changes, or until the next hour if another controller
 * carries out the duty, whose end nothing reports.
 */
export const isServedOtherwise = ({ status }: Cluster, type: string, isHourly: boolean): boolean => {
  const reason = findCondition(status?.conditions, type)?.reason;
  return reason === 'NotOffered' || (reason === 'OtherController' && !isHourly);
};

/** Whether the condition is older than the removal of the annotation. */
export const wasServed = ({ status }: Cluster, type: string): boolean =>
  ![undefined, 'NotRequested'].includes(findCondition(status?.conditions, type)?.reason);

/** Whether the Cluster says so already. */
export const isSaid = ({ status }: Cluster, claim: ConditionClaim): boolean =>
  isStated(findCondition(status?.conditions, claim.type), claim);
