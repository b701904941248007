import type { Distribution } from '../../shared/distributions/distribution.ts';
import { distributionOf } from '../../shared/distributions/registry.ts';
import type { ControlPlane } from '../../shared/kinds/contract-objects.ts';
import {
  type AWSCluster,
  type AWSMachine,
  type Cluster,
  kinds,
  type Machine,
  type MachineDeployment,
  type MachineSet,
} from '../../shared/kinds/index.ts';
import type { ObjectClient } from '../../shared/kube-api/client.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { infrastructureName } from '../../shared/providers/registry.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import { controlPlaneMachines, isControlledBy } from './owners.ts';
import { type Upgrade, withStage } from './staged.ts';

export { controlPlaneMachines, isControlledBy };

/** What of an ObjectClient a snapshot is read by. */
export type ObjectReads = Pick<ObjectClient, 'get' | 'listOfCluster'>;

/** All objects of one cluster that a pass decides from, read at its start. */
export interface ClusterSnapshot {
  cluster: Cluster;
  infrastructure: AWSCluster | null;
  controlPlane: ControlPlane | null;
  /** Of the control plane that the Cluster refers to; undefined where it refers to none, or to one of another kind. */
  distribution: Distribution | undefined;
  deployments: MachineDeployment[];
  sets: MachineSet[];
  machines: Machine[];
  /** By the name of their machine, which may be another than theirs: earlier releases of Cluster API made up a name for each. */
  awsMachines: ReadonlyMap<string, AWSMachine>;
  /** Where the control plane is on its way to its version, and what it waits for; it shows the version of that step. */
  upgrade?: Upgrade;
}

/** The Cluster object, if it is still the one that is meant. */
export const readClusterObject = async (objects: ObjectReads, ref: ClusterRef): Promise<Cluster | undefined> => {
  const cluster = await objects.get(kinds.cluster, ref);
  return cluster?.metadata.uid === ref.uid ? cluster : undefined;
};

/** The control plane of a cluster with its distribution; nothing where the Cluster refers to none that is built here. */
export const readControlPlane = async (
  objects: ObjectReads,
  cluster: Cluster,
): Promise<Pick<ClusterSnapshot, 'controlPlane' | 'distribution'>> => {
  const reference = cluster.spec.controlPlaneRef;
  const distribution = distributionOf('controlPlane', reference);
  if (!distribution || !reference) return { controlPlane: null, distribution: undefined };
  const key = { namespace: cluster.metadata.namespace ?? '', name: reference.name };
  return { controlPlane: (await objects.get(distribution.controlPlane, key)) ?? null, distribution };
};

/** Objects by the name of the machine that refers to them. */
export const byMachine = <T extends KubeObject>(
  machines: readonly Machine[],
  objects: readonly T[],
  nameOf: (machine: Machine) => string | undefined,
): ReadonlyMap<string, T> => {
  const named = new Map(objects.map((object) => [object.metadata.name, object]));
  return new Map(
    machines.flatMap((machine): [string, T][] => {
      const object = named.get(nameOf(machine) ?? '');
      return object ? [[machine.metadata.name, object]] : [];
    }),
  );
};

/** Everything of a cluster, or undefined when the Cluster is gone. One query a kind. */
export const readCluster = async (objects: ObjectReads, ref: ClusterRef): Promise<ClusterSnapshot | undefined> => {
  const cluster = await readClusterObject(objects, ref);
  if (!cluster) return undefined;
  const { namespace, name } = ref;
  const infrastructureOfCluster = infrastructureName('cluster', cluster.spec.infrastructureRef);
  const [infrastructure, control, deployments, sets, machines, awsMachines] = await Promise.all([
    infrastructureOfCluster ? objects.get(kinds.awsCluster, { namespace, name: infrastructureOfCluster }) : undefined,
    readControlPlane(objects, cluster),
    objects.listOfCluster(kinds.machineDeployment, namespace, name),
    objects.listOfCluster(kinds.machineSet, namespace, name),
    objects.listOfCluster(kinds.machine, namespace, name),
    objects.listOfCluster(kinds.awsMachine, namespace, name),
  ]);
  return withStage({
    cluster,
    infrastructure: infrastructure ?? null,
    ...control,
    deployments,
    sets,
    machines,
    awsMachines: byMachine(machines, awsMachines, ({ spec }) => infrastructureName('machine', spec.infrastructureRef)),
  });
};

/** All machines that are not the control plane's. */
export const workerMachines = (snapshot: ClusterSnapshot): Machine[] => {
  const { controlPlane, machines } = snapshot;
  return controlPlane ? machines.filter((machine) => !isControlledBy(machine, controlPlane)) : machines;
};
