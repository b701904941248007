import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import { keyOf } from '../../../shared/kube-api/object.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import type { ConvergeInput, DoneResult } from '../../../shared/work/payloads.ts';
import { readPools } from '../pools.ts';
import { type ClusterSnapshot, isControlledBy, readCluster, withoutOthers } from '../snapshot.ts';
import { noteManager, withoutFinalizer } from './begin.ts';
import type { ObjectsDependencies } from './dependencies.ts';
import { startWork } from './launch.ts';
import { workers } from './workers.ts';

/**
 * Deletes a cluster's objects in Cluster API's order: workers, then the control plane, then the infrastructure object.
 * Each pass deletes what can be deleted now; the machines' executions touch the cluster when they are done. `done`: no
 * machine is left and the infrastructure object is being deleted.
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
      .map(({ metadata }) =>
        objects.delete(kinds.machine, { namespace: metadata.namespace ?? '', name: metadata.name }),
      ),
  );

const removeWorkers = async (deps: ObjectsDependencies, snapshot: ClusterSnapshot, input: ConvergeInput) => {
  const { objects } = deps;
  const { deployments, sets, machines } = snapshot;
  const key = (name: string) => ({ namespace: input.cluster.namespace, name });
  const pools = await objects.listOfCluster(kinds.machinePool, input.cluster.namespace, input.cluster.name);
  await Promise.all([
    ...pools.map(({ metadata }) => objects.delete(kinds.machinePool, key(metadata.name))),
    ...deployments.map(({ metadata }) => objects.delete(kinds.machineDeployment, key(metadata.name))),
    ...sets.map(({ metadata }) => objects.delete(kinds.machineSet, key(metadata.name))),
    deleteMachines(
      deps,
      machines.filter(
        (machine) => !isControlPlaneMachine(machine) && !pools.some((pool) => isControlledBy(machine, pool)),
      ),
    ),
  ]);
  // The usual reconcilers also finish what is being deleted.
  if (deployments.length + sets.length > 0) await workers(deps)(input);
};

/** An external control plane deletes its own machines. */
const isOfControlPlane = (machine: Machine, { distribution, controlPlane }: ClusterSnapshot): boolean =>
  distribution?.isOutside === true && controlPlane !== null && isControlledBy(machine, controlPlane);

const removeControlPlane = async (deps: ObjectsDependencies, snapshot: ClusterSnapshot) => {
  const { objects } = deps;
  const { distribution, machines } = snapshot;
  const { controlPlane } = withoutOthers(snapshot);
  if (controlPlane && distribution) await objects.delete(distribution.controlPlane, keyOf(controlPlane));
  await deleteMachines(
    deps,
    machines.filter((machine) => !isOfControlPlane(machine, snapshot)),
  );
  const { finalizer } = distribution ?? {};
  if (controlPlane && distribution && finalizer !== undefined && machines.length === 0) {
    await objects.mutate(distribution.controlPlane, keyOf(controlPlane), withoutFinalizer(finalizer));
  }
};

const removeInfrastructureObject = async ({ objects }: ObjectsDependencies, snapshot: ClusterSnapshot) => {
  const { cluster, provider } = snapshot;
  // An external object that the Cluster does not control is kept.
  const { infrastructureCluster: infrastructure } = withoutOthers(snapshot);
  if (!infrastructure || !provider || infrastructure.metadata.deletionTimestamp) return;
  await noteManager(objects, cluster, infrastructure);
  const { namespace = '', name } = infrastructure.metadata;
  await objects.delete(provider.cluster, { namespace, name });
};
