import type { Cluster } from '../../kinds/index.ts';
import { type ConditionClaim, findCondition, isStated } from '../status/conditions.ts';

/** Conditions about the duties of a cloud controller manager that Windlass takes over. */

/** Why nothing was checked. */
export type IdleReason = 'NotOffered' | 'OtherController' | 'NotReached' | 'CloudFailed' | 'NotRequested';

/**
 * Whether no check is worthwhile: until something else in the cluster changes, or until the next hour if another
 * controller performs the duty, because nothing reports when it stops.
 */
export const isServedOtherwise = ({ status }: Cluster, type: string, isHourly: boolean): boolean => {
  const reason = findCondition(status?.conditions, type)?.reason;
  return reason === 'NotOffered' || (reason === 'OtherController' && !isHourly);
};

/** Whether the Cluster reports that its API server did not answer. */
export const isUnreached = ({ status }: Cluster, type: string): boolean =>
  findCondition(status?.conditions, type)?.reason === 'NotReached';

/** Whether the condition is older than the removal of the annotation. */
export const wasServed = ({ status }: Cluster, type: string): boolean =>
  ![undefined, 'NotRequested'].includes(findCondition(status?.conditions, type)?.reason);

/** Whether the Cluster already reports this. */
export const isSaid = ({ status }: Cluster, claim: ConditionClaim): boolean =>
  isStated(findCondition(status?.conditions, claim.type), claim);
