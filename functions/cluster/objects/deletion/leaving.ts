import type { MachineSet } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { isPaused } from '../../../../shared/plan/status/cluster-claims.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { workApart } from '../../apart.ts';
import { readPools } from '../../pools.ts';
import { type ClusterSnapshot, isControlledBy, readCluster } from '../../snapshot.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { startWork } from '../machines/launch.ts';
import { reconcileWorkers } from '../workers/workers.ts';

const isBeingDeleted = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;

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
 * deletion does not wait for the infrastructure: what a user wants to get rid of may be what it lacks room for.
 */
export const continueDeletions =
  (deps: ObjectsDependencies) =>
  async ({ cluster: ref, wanted }: ConvergeInput): Promise<void> => {
    const before = await readCluster(deps.objects, ref);
    if (!before || isBeingDeleted(before.cluster) || isPaused(before.cluster)) return;
    const apart = workApart();
    const leaving = leavingWorkers(before);
    const hasWorkers = leaving.deployments.length + leaving.sets.length > 0;
    if (hasWorkers) await apart.attempt(() => reconcileWorkers(deps, leaving), undefined);
    const after = hasWorkers ? await readCluster(deps.objects, ref) : before;
    if (!after) return;
    const pools = (await readPools(deps.objects, after)).filter(({ pool }) => isBeingDeleted(pool));
    const machines = after.machines.filter(isBeingDeleted);
    await apart.attempt(() => startWork(deps, { ...after, machines }, pools, wanted), undefined);
    apart.rethrow();
  };
