import type { Clock } from '../../../../shared/clock.ts';
import { type AWSCluster, kinds } from '../../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import { type Drift, driftClaim, noDriftClaim, PART_DRIFTED } from '../../../../shared/plan/drift/claims.ts';
import { withClaim } from '../../../../shared/plan/status/claimed.ts';
import { type ConditionClaim, findCondition } from '../../../../shared/plan/status/conditions.ts';
import type { Adoption } from '../../../../shared/providers/aws/plan/drift/withhold.ts';
import type { DriftRecorder } from './reasons.ts';
import type { InfrastructureScope } from './scope.ts';

interface NoteDependencies {
  objects: ObjectClient;
  clock: Clock;
}

const textOf = (drifts: readonly Drift[]): string =>
  drifts.map(({ kind, message }) => `${kind}: ${message}`).join('; ');

/** Records on the AWSCluster the outside changes that a step is about to revert. */
export const recordRepair = async (
  recorder: DriftRecorder,
  regarding: AWSCluster,
  drifts: readonly Drift[],
): Promise<void> => {
  const repaired = drifts.filter(({ policy }) => policy === 'Repair');
  if (repaired.length === 0) return;
  await recorder.warning(regarding, 'DriftRepaired', `Drift detected and repaired: ${textOf(repaired)}`);
};

/** Adopts outside changes into the AWSCluster, and records this in events. */
export const adoptDrift = async (
  { objects }: Pick<NoteDependencies, 'objects'>,
  recorder: DriftRecorder,
  { key, awsCluster: regarding }: Pick<InfrastructureScope, 'key'> & { awsCluster: AWSCluster },
  { drifts, adoptions }: { drifts: readonly Drift[]; adoptions: readonly Adoption[] },
): Promise<void> => {
  if (adoptions.length === 0) return;
  await objects.mutate(kinds.awsCluster, key, (current) =>
    current.metadata.uid === regarding.metadata.uid
      ? adoptions.reduce((changed, adopt) => adopt(changed), current)
      : undefined,
  );
  const adopted = drifts.filter(({ policy }) => policy === 'Adopt');
  const message = `Drift detected and adopted by the AWSCluster: ${textOf(adopted)}`;
  await recorder.warning(regarding, 'DriftAdopted', message);
};

const writeClaim = async (
  { objects, clock }: NoteDependencies,
  { cluster }: Pick<InfrastructureScope, 'cluster'>,
  claim: ConditionClaim,
): Promise<void> => {
  const { namespace = '', name, uid } = cluster.metadata;
  await objects.mutate(kinds.cluster, { namespace, name }, (current) =>
    current.metadata.uid === uid ? withClaim(current, claim, clock.now()) : undefined,
  );
};

/**
 * Reports on the Cluster which outside changes a part of the infrastructure keeps because its policy is to report them,
 * or that there are none any more. Only changes cause an event.
 */
export const noteReported = async (
  deps: NoteDependencies,
  scope: Pick<InfrastructureScope, 'cluster'>,
  part: keyof typeof PART_DRIFTED,
  found: readonly Drift[],
  recorder: DriftRecorder,
): Promise<void> => {
  const type = PART_DRIFTED[part];
  const drifts = found.filter(({ policy }) => policy === 'Report');
  const before = findCondition(scope.cluster.status?.conditions, type);
  if (drifts.length === 0 && !before) return;
  const claim = drifts.length > 0 ? driftClaim(drifts, type) : noDriftClaim(type);
  if (before?.status === claim.status && before.message === (claim.message ?? '')) return;
  if (drifts.length > 0) {
    // Before the condition, which marks the finding as reported: after a crash in between, the event is recorded again.
    await recorder.warning(scope.cluster, 'DriftReported', textOf(drifts));
  }
  await writeClaim(deps, scope, claim);
};
