import type { Cluster } from '../../kinds/index.ts';
import { type ConditionClaim, findCondition } from '../status/conditions.ts';

/** Conditions about the duties of a cloud controller manager that Windlass takes over. */

/** Why nothing was looked at. */
export type IdleReason = 'NotOffered' | 'OtherController' | 'NotReached' | 'CloudFailed' | 'NotRequested';

/** Whether no look is worthwhile until something else in the cluster changes. */
export const isServedOtherwise = ({ status }: Cluster, type: string): boolean =>
  ['NotOffered', 'OtherController'].includes(findCondition(status?.conditions, type)?.reason ?? '');

/** Whether the condition is older than the removal of the annotation. */
export const wasServed = ({ status }: Cluster, type: string): boolean =>
  ![undefined, 'NotRequested'].includes(findCondition(status?.conditions, type)?.reason);

/** Whether the Cluster says so already. */
export const isSaid = ({ status }: Cluster, claim: ConditionClaim): boolean => {
  const before = findCondition(status?.conditions, claim.type);
  return before?.status === claim.status && before.reason === claim.reason && before.message === (claim.message ?? '');
};
