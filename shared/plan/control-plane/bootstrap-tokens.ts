import type { ControlPlane } from '../../kinds/contract-objects.ts';
import type { Condition } from '../../kube-api/object.ts';
import { type ConditionClaim, findCondition } from '../status/conditions.ts';

/**
 * Windlass's own condition: whether the workload cluster has the required bootstrap tokens, and no others of Windlass.
 */
const BOOTSTRAP_TOKENS = 'windlass.dev/BootstrapTokensUpToDate';

/** The condition after an attempt. There is none if this attempt and all earlier ones have succeeded. */
export const bootstrapTokensClaims = (
  conditions: readonly Condition[] | undefined,
  problems: readonly string[],
): ConditionClaim[] => {
  const type = BOOTSTRAP_TOKENS;
  if (problems.length > 0) {
    const message = [...new Set(problems)].map((problem) => `* ${problem}`).join('\n');
    return [{ type, status: 'False', reason: 'UpdateFailed', message }];
  }
  return findCondition(conditions, type) ? [{ type, status: 'True', reason: 'UpToDate' }] : [];
};

/** Whether nothing is left to be retried. */
export const areBootstrapTokensSettled = ({ status }: ControlPlane): boolean =>
  findCondition(status?.conditions, BOOTSTRAP_TOKENS)?.status !== 'False';
