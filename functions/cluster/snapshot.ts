import {
  type AWSCluster,
  type AWSMachine,
  type Cluster,
  type KubeadmControlPlane,
  kinds,
  type Machine,
  type MachineDeployment,
  type MachineSet,
} from '../../shared/kinds/index.ts';
import type { ObjectClient } from '../../shared/kube-api/client.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';

/** All objects of one cluster that a pass decides from, read at its start. */
export interface ClusterSnapshot {
  cluster: Cluster;
  infrastructure: AWSCluster | null;
  controlPlane: KubeadmControlPlane | null;
  deployments: MachineDeployment[];
  sets: MachineSet[];
  machines: Machine[];
  /** By name, which is the machine's. */
  awsMachines: ReadonlyMap<string, AWSMachine>;
}

/** Whether `object` is controlled by `owner`. */
export const isControlledBy = (object: KubeObject, owner: KubeObject): boolean =>
  object.metadata.ownerReferences?.some((o) => o.controller === true && o.uid === owner.metadata.uid) === true;

/** The Cluster object, if it is still the one that is meant. */
export const readClusterObject = async (objects: ObjectClient, ref: ClusterRef): Promise<Cluster | undefined> => {
  const cluster = await objects.get(kinds.cluster, ref);
  return cluster?.metadata.uid === ref.uid ? cluster : undefined;
};

const referred = (
  cluster: Cluster,
  field: 'infrastructureRef' | 'controlPlaneRef',
  kind: string,
): string | undefined => {
  const reference = cluster.spec[field];
  return reference?.kind === kind ? reference.name : undefined;
};

/** Everything of a cluster, or undefined when the Cluster is gone. One query a kind. */
export const readCluster = async (objects: ObjectClient, ref: ClusterRef): Promise<ClusterSnapshot | undefined> => {
  const cluster = await readClusterObject(objects, ref);
  if (!cluster) return undefined;
  const { namespace, name } = ref;
  const infrastructureName = referred(cluster, 'infrastructureRef', 'AWSCluster');
  const controlPlaneName = referred(cluster, 'controlPlaneRef', 'KubeadmControlPlane');
  const [infrastructure, controlPlane, deployments, sets, machines, awsMachines] = await Promise.all([
    infrastructureName ? objects.get(kinds.awsCluster, { namespace, name: infrastructureName }) : undefined,
    controlPlaneName ? objects.get(kinds.kubeadmControlPlane, { namespace, name: controlPlaneName }) : undefined,
    objects.listOfCluster(kinds.machineDeployment, namespace, name),
    objects.listOfCluster(kinds.machineSet, namespace, name),
    objects.listOfCluster(kinds.machine, namespace, name),
    objects.listOfCluster(kinds.awsMachine, namespace, name),
  ]);
  return {
    cluster,
    infrastructure: infrastructure ?? null,
    controlPlane: controlPlane ?? null,
    deployments,
    sets,
    machines,
    awsMachines: new Map(awsMachines.map((machine) => [machine.metadata.name, machine])),
  };
};

/** The machines that the control plane owns. */
export const controlPlaneMachines = ({ controlPlane, machines }: ClusterSnapshot): Machine[] =>
  controlPlane ? machines.filter((machine) => isControlledBy(machine, controlPlane)) : [];

/** All machines that are not the control plane's. */
export const workerMachines = (snapshot: ClusterSnapshot): Machine[] => {
  const { controlPlane, machines } = snapshot;
  return controlPlane ? machines.filter((machine) => !isControlledBy(machine, controlPlane)) : machines;
};
