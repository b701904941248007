import type { Distribution } from '../../../../shared/distributions/distribution.ts';
import type { ControlPlane } from '../../../../shared/kinds/contract-objects.ts';
import { type Cluster, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import {
  type ControlPlaneAdoption,
  machineYields,
  planControlPlaneAdoption,
  withControlPlane,
} from '../../../../shared/plan/control-plane/adoption.ts';
import { FINALIZER, LABEL } from '../../../../shared/plan/labels.ts';
import type { ClusterSnapshot } from '../../snapshot.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { controlPlaneRecorder } from '../reasons.ts';

/** The machines that the control plane of a cluster adopts now. */
export const controlPlaneAdoption = ({
  controlPlane,
  distribution,
  machines,
}: Pick<ClusterSnapshot, 'controlPlane' | 'distribution' | 'machines'>): ControlPlaneAdoption => {
  if (!controlPlane || !distribution || distribution.isOutside || controlPlane.metadata.deletionTimestamp)
    return { adopt: [] };
  const adopts = distribution.adopts ? distribution.config : undefined;
  return planControlPlaneAdoption({ controlPlane, adopts, machines });
};

/**
 * The reason why the machines of a control plane must not change: not all machines of its kind in the cluster belong to
 * it.
 */
export const mixedManagement = (snapshot: Parameters<typeof controlPlaneAdoption>[0]): string | undefined => {
  const { adopt, refused } = controlPlaneAdoption(snapshot);
  const [first] = adopt;
  return refused ?? (first && `Machine ${first.metadata.name} was not adopted yet`);
};

interface Owner {
  owner: ControlPlane;
  distribution: Distribution;
}

/**
 * Makes the control plane the controller of those control plane machines in its cluster that have no controller.
 * Returns whether it has adopted any: if so, the rest of the pass would decide on outdated data, and another pass is
 * requested.
 */
export const adoptControlPlaneMachines = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  { owner, distribution }: Owner,
): Promise<boolean> => {
  const { adopt, refused } = controlPlaneAdoption(snapshot);
  const recorder = controlPlaneRecorder(deps, distribution);
  if (refused) await recorder.warning(owner, 'AdoptionFailed', refused);
  if (adopt.length === 0 || !(await isStaying(deps, { owner, distribution }))) return false;
  for (const machine of adopt) {
    if (!(await adoptMachine(deps, owner, machine))) continue;
    await recorder.normal(owner, 'SuccessfulAdopt', `Adopted Machine "${machine.metadata.name}"`);
  }
  await noteInitialized(deps, snapshot.cluster, { owner, distribution });
  return true;
};

/**
 * Reads again: a control plane in deletion must not adopt machines that were just released because of
 * `--cascade=orphan` (kubernetes/kubernetes#42639).
 */
const isStaying = async ({ objects }: ObjectsDependencies, { owner, distribution }: Owner): Promise<boolean> => {
  const current = await objects.get(distribution.controlPlane, keyOf(owner));
  return current !== undefined && current.metadata.uid === owner.metadata.uid && !current.metadata.deletionTimestamp;
};

const adoptMachine = async (
  { objects }: ObjectsDependencies,
  owner: ControlPlane,
  machine: Machine,
): Promise<boolean> => {
  let isAdopted = false;
  const change = (current: Machine): Machine | undefined => {
    // Another controller may have adopted it first.
    const adopted = current.metadata.uid === machine.metadata.uid && withControlPlane(current, owner, machineYields);
    isAdopted = Boolean(adopted);
    if (!adopted) return undefined;
    const { finalizers = [], labels, deletionTimestamp } = adopted.metadata;
    const kept = deletionTimestamp ? finalizers : [...new Set([...finalizers, FINALIZER.machine])];
    const labelled = { ...labels, [LABEL.clusterName]: adopted.spec.clusterName };
    return { ...adopted, metadata: { ...adopted.metadata, labels: labelled, finalizers: kept } };
  };
  await objects.mutate(kinds.machine, keyOf(machine), change, { from: machine });
  return isAdopted;
};

/**
 * The machines of an initialized Cluster belong to an initialized control plane: they are changed only one at a time
 * and while they are healthy, even if the workload cluster cannot be reached.
 */
const noteInitialized = async (
  { objects }: ObjectsDependencies,
  cluster: Cluster,
  { owner, distribution }: Owner,
): Promise<void> => {
  const { initialization } = cluster.status ?? {};
  if (!initialization?.controlPlaneInitialized || owner.status?.initialization?.controlPlaneInitialized) return;
  await objects.mutate(distribution.controlPlane, keyOf(owner), (current) => ({
    ...current,
    status: { ...current.status, initialization: { controlPlaneInitialized: true } } as ControlPlane['status'],
  }));
};
