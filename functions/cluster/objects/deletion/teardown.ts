import { kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { withoutFinalizer } from '../../../../shared/kube-api/registry/finalizers.ts';
import { isControlPlaneMachine } from '../../../../shared/plan/labels.ts';
import type { ConvergeInput, DoneResult } from '../../../../shared/work/payloads.ts';
import { readPools } from '../../pools.ts';
import { type ClusterSnapshot, isControlledBy, readCluster, withoutOthers } from '../../snapshot.ts';
import { noteManager } from '../begin.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { startWork } from '../machines/launch.ts';
import { workers } from '../workers/workers.ts';

/**
 * Deletes a cluster's objects in Cluster API's order: workers, then the control plane, then the infrastructure object.
 * Each pass deletes what can be deleted now; the machines' executions touch the cluster when they have finished. `done`
 * means that no machine is left and the infrastructure object is being deleted.
 */
export const teardown =
  (deps: ObjectsDependencies) =>
  async (input: ConvergeInput): Promise<DoneResult> => {
    const before = await readCluster(deps.objects, input.cluster);
    if (!before) return { done: false };
    await removeWorkers(deps, before, input);
    const between = await readCluster(deps.objects, input.cluster);
    if (!between) return { done: false };
    const pools = await readPools(deps.objects, between);
    if (hasNoWorkers(between) && pools.length === 0) await removeControlPlane(deps, between);
    const after = await readCluster(deps.objects, input.cluster);
    if (!after) return { done: false };
    await startWork(deps, after, pools, input.wanted);
    if (after.machines.length + pools.length > 0 || withoutOthers(after).controlPlane) return { done: false };
    await removeInfrastructureObject(deps, after);
    return { done: true };
  };

const hasNoWorkers = ({ deployments, sets, machines }: ClusterSnapshot): boolean =>
  deployments.length + sets.length === 0 && machines.every(isControlPlaneMachine);

const deleteMachines = ({ objects }: ObjectsDependencies, machines: readonly Machine[]) =>
  Promise.all(
    machines
      .filter(({ metadata }) => !metadata.deletionTimestamp)
      .map((machine) => objects.delete(kinds.machine, machine)),
  );

const removeWorkers = async (deps: ObjectsDependencies, snapshot: ClusterSnapshot, input: ConvergeInput) => {
  const { objects } = deps;
  const { deployments, sets, machines } = snapshot;
  const pools = await objects.listOfCluster(kinds.machinePool, input.cluster.namespace, input.cluster.name);
  await Promise.all([
    ...pools.map((pool) => objects.delete(kinds.machinePool, pool)),
    ...deployments.map((deployment) => objects.delete(kinds.machineDeployment, deployment)),
    ...sets.map((set) => objects.delete(kinds.machineSet, set)),
    deleteMachines(
      deps,
      machines.filter(
        (machine) => !isControlPlaneMachine(machine) && !pools.some((pool) => isControlledBy(machine, pool)),
      ),
    ),
  ]);
  // The usual reconcilers also complete deletions.
  if (deployments.length + sets.length > 0) await workers(deps)(input);
};

/** An external control plane deletes its own machines. */
const isOfControlPlane = (machine: Machine, { distribution, controlPlane }: ClusterSnapshot): boolean =>
  distribution?.isOutside === true && controlPlane !== null && isControlledBy(machine, controlPlane);

const removeControlPlane = async (deps: ObjectsDependencies, snapshot: ClusterSnapshot) => {
  const { objects } = deps;
  const { distribution, machines } = snapshot;
  const { controlPlane } = withoutOthers(snapshot);
  if (controlPlane && distribution) await objects.delete(distribution.controlPlane, controlPlane);
  await deleteMachines(
    deps,
    machines.filter((machine) => !isOfControlPlane(machine, snapshot)),
  );
  const { finalizer } = distribution ?? {};
  if (controlPlane && distribution && finalizer !== undefined && machines.length === 0) {
    await objects.mutate(distribution.controlPlane, controlPlane, withoutFinalizer(finalizer));
  }
};

const removeInfrastructureObject = async ({ objects }: ObjectsDependencies, snapshot: ClusterSnapshot) => {
  const { cluster, provider } = snapshot;
  // An external object that the Cluster does not control is kept.
  const { infrastructureCluster: infrastructure } = withoutOthers(snapshot);
  if (!infrastructure || !provider || infrastructure.metadata.deletionTimestamp) return;
  await noteManager(objects, cluster, infrastructure);
  await objects.delete(provider.cluster, infrastructure);
};
