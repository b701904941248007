import type { LegacyCondition } from '../../kinds/schema/meta.ts';
import type { Condition } from '../../kube-api/object.ts';
import type { ConditionClaim } from './conditions.ts';

/** Upstream's text if the mirrored condition has no reason. */
const NO_REASON = 'NoReasonReported';

type Mirrored = Pick<Condition | LegacyCondition, 'type' | 'status' | 'reason' | 'message'>;

/**
 * The condition `Ready` of the object to which another one refers, as a condition of type `type` on the latter;
 * `fallback` if the object does not report `Ready`. Upstream: util/conditions NewMirrorCondition.
 */
export const mirrorReady = (
  type: string,
  conditions: readonly Mirrored[] | undefined,
  fallback: Omit<ConditionClaim, 'type'>,
): ConditionClaim => {
  const found = conditions?.find((condition) => condition.type === 'Ready');
  if (!found) return { type, ...fallback };
  const status = found.status as ConditionClaim['status'];
  const reason = found.reason || (status === 'True' ? 'Ready' : NO_REASON);
  return { type, status, reason, ...(found.message ? { message: found.message } : {}) };
};

/** The condition for an object without a condition `Ready`. It depends on `status.ready`. */
export const readyFallback = (kind: string, isReady: boolean): Omit<ConditionClaim, 'type'> =>
  fallback(isReady, `${kind} status.initialization.provisioned`);

/** Like readyFallback, but depends on `field` instead of `status.ready`. */
export const fallback = (isReady: boolean, field: string): Omit<ConditionClaim, 'type'> =>
  isReady ? { status: 'True', reason: 'Ready' } : { status: 'False', reason: 'NotReady', message: `${field} is false` };
