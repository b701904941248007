import type { Distribution } from '../../../../shared/distributions/distribution.ts';
import type { BootstrapConfig, ControlPlane } from '../../../../shared/kinds/contract-objects.ts';
import {
  type ControlPlaneFacts,
  type ControlPlanePlan,
  isChange,
  isFormed,
  planControlPlane,
} from '../../../../shared/plan/control-plane/plan.ts';
import { isObjectPaused } from '../../../../shared/plan/status/paused.ts';
import type { ClusterRef } from '../../../../shared/work/payloads.ts';
import { type ClusterSnapshot, readCluster } from '../../snapshot.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { withStranded } from '../machines/stranded.ts';
import { missingForControlPlane, whileMissing } from '../references/missing.ts';
import { controlPlaneFacts } from './facts.ts';
import { readConfigs } from './up-to-date.ts';

/** A control plane whose machines a pass creates and deletes. */
interface ManagedControlPlane {
  owner: ControlPlane;
  distribution: Distribution;
}

/** Undefined if the control plane is managed elsewhere, paused, or being deleted. */
export const managedControlPlane = ({
  controlPlane: owner,
  distribution,
}: ClusterSnapshot): ManagedControlPlane | undefined =>
  !owner || !distribution || distribution.isOutside || owner.metadata.deletionTimestamp || isObjectPaused(owner)
    ? undefined
    : { owner, distribution };

/** The next change of the machines that the objects require, with the data from which it follows. */
export const plannedChange = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  configs: ReadonlyMap<string, BootstrapConfig>,
): Promise<{ facts: ControlPlaneFacts; plan: ControlPlanePlan } | undefined> => {
  const facts = controlPlaneFacts(snapshot, configs, deps.clock.now());
  if (!facts) return undefined;
  const known = await withStranded(deps, snapshot, facts);
  return { facts, plan: planControlPlane(whileMissing(known, await missingForControlPlane(deps, known))) };
};

/**
 * Whether machines of an initialized control plane must be created or deleted. The conditions that allow it are from
 * the last pass, so the health must be checked before, as upstream does in each reconciliation.
 */
export const isChangePlanned = async (deps: ObjectsDependencies, ref: ClusterRef): Promise<boolean> => {
  const snapshot = await readCluster(deps.objects, ref);
  const managed = snapshot && managedControlPlane(snapshot);
  if (!managed || !isFormed(managed.owner)) return false;
  const planned = await plannedChange(deps, snapshot, await readConfigs(deps, snapshot));
  return planned !== undefined && isChange(planned.plan);
};
