import type { MachineSet } from '../../../../shared/kinds/index.ts';
import { isPaused } from '../../../../shared/plan/status/cluster-claims.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { workApart } from '../../apart.ts';
import { readPools } from '../../pools.ts';
import { type ClusterSnapshot, isControlledBy, readCluster } from '../../snapshot.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import type { Found } from '../finish/finish.ts';
import { isBeingDeleted, startWork } from '../machines/launch.ts';
import { reconcileWorkers } from '../workers/workers.ts';

/** The snapshot with only those MachineDeployments and MachineSets that are being deleted. */
const leavingWorkers = (snapshot: ClusterSnapshot): ClusterSnapshot => {
  const deployments = snapshot.deployments.filter(isBeingDeleted);
  const isLeaving = (set: MachineSet) =>
    isBeingDeleted(set) || deployments.some((deployment) => isControlledBy(set, deployment));
  return { ...snapshot, deployments, sets: snapshot.sets.filter(isLeaving) };
};

/**
 * Continues the deletion of MachineDeployments, MachineSets, Machines and MachinePools in a pass that does not reach
 * `machines`, because the cluster's infrastructure is not ready or its reconciliation failed. As in upstream, a
 * deletion does not wait for the infrastructure; it may even free the quota that the infrastructure lacks. Returns the
 * snapshot, read again if something changed.
 */
export const continueDeletions =
  (deps: ObjectsDependencies) =>
  async ({ cluster: ref, wanted }: ConvergeInput, { snapshot, pools }: Found): Promise<ClusterSnapshot> => {
    if (isBeingDeleted(snapshot.cluster) || isPaused(snapshot.cluster)) return snapshot;
    const { attempt, rethrow } = workApart();
    const leaving = leavingWorkers(snapshot);
    const hasWorkers = leaving.deployments.length + leaving.sets.length > 0;
    if (hasWorkers) await attempt(() => reconcileWorkers(deps, leaving), undefined);
    const current = (hasWorkers && (await readCluster(deps.objects, ref))) || snapshot;
    const part = { ...current, machines: current.machines.filter(isBeingDeleted) };
    const leavingPools = pools.filter(({ pool }) => isBeingDeleted(pool));
    await attempt(() => startWork(deps, part, leavingPools, wanted), undefined);
    rethrow();
    return current;
  };

/** The same after a step has failed, which has read nothing. */
export const continueDeletionsAfterFailure = (deps: ObjectsDependencies) => {
  const removals = continueDeletions(deps);
  return async (input: ConvergeInput): Promise<void> => {
    const snapshot = await readCluster(deps.objects, input.cluster);
    if (snapshot) await removals(input, { snapshot, pools: await readPools(deps.objects, snapshot) });
  };
};
