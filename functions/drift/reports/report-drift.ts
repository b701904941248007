import { recordEvent } from '../../../shared/events/record.ts';
import { type Cluster, kinds, type Machine } from '../../../shared/kinds/index.ts';
import { type Drift, driftClaim, noDriftClaim, PART_DRIFTED } from '../../../shared/plan/drift/claims.ts';
import { withClaim } from '../../../shared/plan/status/claimed.ts';
import { type ConditionClaim, findCondition } from '../../../shared/plan/status/conditions.ts';
import { COMPONENT, type DriftDependencies } from '../dependencies.ts';

type ReportDependencies = Pick<DriftDependencies, 'objects' | 'clock'>;

/** Whether a condition must be written: because it has changed, or because the reported finding no longer applies. */
const isNews = ({ status }: Machine | Cluster, claim: ConditionClaim): boolean => {
  const before = findCondition(status?.conditions, claim.type);
  if (claim.status === 'False' && !before) return false;
  return before?.status !== claim.status || before.message !== (claim.message ?? '');
};

/** Records on a Machine how its instance differs, or that it no longer does. Only changes cause an event. */
export const reportDrift = async (
  { objects, clock }: ReportDependencies,
  machine: Machine,
  drifts: readonly Drift[],
): Promise<void> => {
  const claim = drifts.length > 0 ? driftClaim(drifts) : noDriftClaim();
  if (!isNews(machine, claim)) return;
  if (drifts.length > 0) {
    const { reason, message = '' } = claim;
    await recordEvent(objects, { regarding: machine, type: 'Warning', reason, message, component: COMPONENT }, clock);
  }
  const { namespace = '', name, uid } = machine.metadata;
  await objects.mutate(kinds.machine, { namespace, name }, (current) =>
    current.metadata.uid === uid ? withClaim(current, claim, clock.now()) : undefined,
  );
};

/**
 * Records on a Cluster which of its instances have no Machine, or that all have one again. Only changes cause an event.
 */
export const reportUnknown = async (
  { objects, clock }: ReportDependencies,
  cluster: Cluster,
  drifts: readonly Drift[],
): Promise<void> => {
  const type = PART_DRIFTED.instances;
  const claim = drifts.length > 0 ? driftClaim(drifts, type) : noDriftClaim(type);
  if (!isNews(cluster, claim)) return;
  if (drifts.length > 0) {
    const message = drifts.map((drift) => `${drift.kind}: ${drift.message}`).join('; ');
    const happening = { type: 'Warning', reason: 'DriftReported', component: COMPONENT } as const;
    // Before the condition, which marks the finding as reported: after a crash in between, the event is recorded again.
    await recordEvent(objects, { regarding: cluster, ...happening, message }, clock);
  }
  const { namespace = '', name, uid } = cluster.metadata;
  await objects.mutate(kinds.cluster, { namespace, name }, (current) =>
    current.metadata.uid === uid ? withClaim(current, claim, clock.now()) : undefined,
  );
};
