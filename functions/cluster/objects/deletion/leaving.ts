import { isPaused } from '../../../../shared/plan/status/cluster-claims.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { workApart } from '../../apart.ts';
import { isGroupGoing, readPools } from '../../pools.ts';
import { type ClusterSnapshot, readCluster } from '../../snapshot.ts';
import { releaseControlPlane } from '../control-plane/release.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import type { Found } from '../finish/finish.ts';
import { isBeingDeleted, startWork } from '../machines/launch.ts';
import { reconcileWorkers } from '../workers/workers.ts';

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
    const hasWorkers = [...snapshot.deployments, ...snapshot.sets].some(isBeingDeleted);
    if (hasWorkers) await attempt(() => reconcileWorkers(deps, snapshot, isBeingDeleted), undefined);
    const current = (hasWorkers && (await readCluster(deps.objects, ref))) || snapshot;
    const leavingPools = pools.filter((objects) => isBeingDeleted(objects.pool) || isGroupGoing(objects));
    await attempt(() => startWork(deps, current, leavingPools, wanted, isBeingDeleted), undefined);
    rethrow();
    return current;
  };

/**
 * The same after a step has failed, which has read nothing. Also releases a control plane in deletion that owns no
 * machine, which other passes do in their report.
 */
export const continueDeletionsAfterFailure = (deps: ObjectsDependencies) => {
  const removals = continueDeletions(deps);
  return async (input: ConvergeInput): Promise<void> => {
    const snapshot = await readCluster(deps.objects, input.cluster);
    if (!snapshot) return;
    const { attempt, rethrow } = workApart();
    await attempt(() => releaseControlPlane(deps, snapshot), undefined);
    await removals(input, { snapshot, pools: await readPools(deps.objects, snapshot) });
    rethrow();
  };
};
