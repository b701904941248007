import { type AWSCluster, kinds } from '../../../../../shared/kinds/index.ts';
import { type LegacyClaim, withLegacyConditions } from '../../../../../shared/plan/status/legacy-conditions.ts';
import type { NetworkDependencies } from '../dependencies.ts';
import type { NetworkLook } from '../look.ts';

/** The condition of the bastion. Upstream's reasons and severities. */
export const BASTION_CONDITION = 'BastionHostReady';

const SEVERITIES = { BastionCreationStarted: 'Info', BastionHostFailed: 'Error', DeletingFailed: 'Warning' } as const;

/** Why there is no bastion yet, or still one. */
export const bastionClaim = (reason: keyof typeof SEVERITIES, message: string): LegacyClaim => ({
  type: BASTION_CONDITION,
  status: 'False',
  severity: SEVERITIES[reason],
  reason,
  message,
});

/** Changes an AWSCluster that is not being deleted, and its conditions. Undefined if `change` leaves it as it is. */
export const writeBastion = (
  { objects, clock }: NetworkDependencies,
  { scope }: NetworkLook,
  change: (current: AWSCluster) => AWSCluster | undefined,
  claims: readonly LegacyClaim[] = [],
): Promise<AWSCluster | undefined> =>
  objects.mutate(kinds.awsCluster, scope.key, (current) => {
    const changed = current.metadata.deletionTimestamp ? undefined : change(current);
    return changed && withLegacyConditions(changed, claims, clock.now());
  });
