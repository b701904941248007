import type { Condition, KubeObject } from '../../kube-api/object.ts';
import { type ConditionClaim, withConditions } from './conditions.ts';

type WithConditions = KubeObject & { status?: { conditions?: Condition[] } };

/** The object with `claim` among its conditions; nothing else changes. */
export const withClaim = <T extends WithConditions>(object: T, claim: ConditionClaim, now: Date): T => ({
  ...object,
  status: {
    ...object.status,
    conditions: withConditions(object.status?.conditions, [claim], object.metadata.generation, now),
  },
});
