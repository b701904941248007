/** The condition `Paused` of AWSClusters and AWSMachines (CAPA util/paused). */
import type { LegacyCondition } from '../../../kinds/schema/meta.ts';
import type { KubeObject } from '../../../kube-api/object.ts';
import type { ConditionClaim } from '../../../plan/status/conditions.ts';
import { type LegacyClaim, withLegacyCondition } from '../../../plan/status/legacy-conditions.ts';
import { isExternallyManaged } from '../../../plan/status/managed-by.ts';

type Reporting = KubeObject & { status?: { conditions?: LegacyCondition[] } };

const pausedOf = (object: Reporting): LegacyCondition | undefined =>
  object.status?.conditions?.find(({ type }) => type === 'Paused');

const NOT_PAUSED: LegacyClaim = { type: 'Paused', status: 'False', reason: 'NotPaused' };

/** The claims in the first status of an object; empty if it already has the condition. */
export const firstPausedClaim = (object: Reporting): readonly LegacyClaim[] => (pausedOf(object) ? [] : [NOT_PAUSED]);

/**
 * The object with the condition; undefined if it already has it, if it is not paused and does not have the condition
 * (its next status will contain it), or if another system writes its status.
 */
export const withPaused = <T extends KubeObject>(object: T, claim: ConditionClaim, now: Date): T | undefined => {
  const { status, reason, message } = claim;
  const before = pausedOf(object);
  if (isExternallyManaged(object) || (!before && status !== 'True')) return undefined;
  if (before?.status === status && before.reason === reason && before.message === message) return undefined;
  return withLegacyCondition(object, { type: 'Paused', status, reason, ...(message ? { message } : {}) }, now);
};
