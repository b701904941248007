import type { Distribution } from '../../shared/distributions/distribution.ts';
import { distributionIn } from '../../shared/distributions/registry.ts';
import type { ControlPlane } from '../../shared/kinds/contract-objects.ts';
import {
  type Cluster,
  kinds,
  type Machine,
  type MachineDeployment,
  type MachineSet,
} from '../../shared/kinds/index.ts';
import type { InfrastructureCluster, InfrastructureMachine } from '../../shared/kinds/infrastructure.ts';
import { refersTo } from '../../shared/kinds/reference.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import type { InstanceFacts } from '../../shared/plan/infrastructure/instance.ts';
import { isMemberOf } from '../../shared/plan/workers/adoption.ts';
import type { Infrastructure } from '../../shared/providers/infrastructure.ts';
import { infrastructureOf, isSameProvider, type ProvidedMachine, provided } from '../../shared/providers/registry.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import { unlessClaimed } from './claimant.ts';
import { controlPlaneMachines, isControlledBy, isOfAnotherMachine, unlessOthers } from './owners.ts';
import { type Upgrade, withStage } from './staged.ts';
import { findUnlabelled } from './unlabelled.ts';

export { controlPlaneMachines, isControlledBy };

/** The part of an ObjectClient that reads the objects of a cluster. */
export type ObjectReads = Pick<ObjectClient, 'get' | 'listOfCluster'>;

/** The part of an ObjectClient that reads a snapshot. */
export type SnapshotReads = ObjectReads & Pick<ObjectClient, 'list'>;

/** All objects of one cluster on which a pass bases its decisions, read at its start. */
export interface ClusterSnapshot {
  cluster: Cluster;
  infrastructureCluster: InfrastructureCluster | null;
  /** Undefined if the Cluster refers to no infrastructure, or to one of an unknown kind. */
  provider: Infrastructure | undefined;
  controlPlane: ControlPlane | null;
  /** The distribution of the control plane to which the Cluster refers; undefined if it refers to none. */
  distribution: Distribution | undefined;
  deployments: MachineDeployment[];
  sets: MachineSet[];
  machines: Machine[];
  /**
   * By the name of the machine, which may differ from their own: earlier releases of Cluster API generated a name for
   * each.
   */
  infrastructureMachines: ReadonlyMap<string, ProvidedMachine>;
  /**
   * The current step of a control plane upgrade, and what it waits for. Here, the control plane has the version of that
   * step.
   */
  upgrade?: Upgrade;
}

/** The Cluster object, if its uid is still the expected one. */
export const readClusterObject = async (objects: ObjectReads, ref: ClusterRef): Promise<Cluster | undefined> => {
  const cluster = await objects.get(kinds.cluster, ref);
  return cluster?.metadata.uid === ref.uid ? cluster : undefined;
};

/** The control plane of a cluster with its distribution; empty if the Cluster refers to none. */
export const readControlPlane = async (
  objects: SnapshotReads,
  cluster: Cluster,
): Promise<Pick<ClusterSnapshot, 'controlPlane' | 'distribution'>> => {
  const reference = cluster.spec.controlPlaneRef;
  const distribution = distributionIn(cluster, 'controlPlane', reference);
  if (!distribution || !reference) return { controlPlane: null, distribution: undefined };
  const key = { namespace: cluster.metadata.namespace ?? '', name: reference.name };
  const found = unlessOthers(await objects.get(distribution.controlPlane, key), cluster);
  const controlPlane = (await unlessClaimed(objects, cluster, 'controlPlaneRef', found)) ?? null;
  return { controlPlane, distribution };
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

type Provided = readonly [provider: Infrastructure, all: readonly InfrastructureMachine[]];

const nameIn =
  (provider: Infrastructure) =>
  ({ spec: { infrastructureRef } }: Machine): string | undefined =>
    refersTo(provider.machine, infrastructureRef) ? infrastructureRef.name : undefined;

/** The providers to which the machines refer, without duplicates. */
const providersOf = (machines: readonly Machine[]): Infrastructure[] => {
  const found = new Map<string, Infrastructure>();
  for (const { spec } of machines) {
    const provider = infrastructureOf('machine', spec.infrastructureRef);
    if (provider) found.set(`${provider.machine.group}/${provider.machine.kind}`, provider);
  }
  return [...found.values()];
};

/**
 * The infrastructure of machines from any provider, by machine name. Lists are read only for providers to which
 * machines refer; that of `expected`, which most machines will have, is read without waiting for the machines. An
 * object without the cluster's label is found by its name. An object that another Machine controls is left out.
 */
export const readInfrastructure = async (
  objects: ObjectReads,
  { namespace, name }: Pick<ClusterRef, 'namespace' | 'name'>,
  readMachines: Promise<readonly Machine[]>,
  expected?: Infrastructure,
): Promise<ReadonlyMap<string, ProvidedMachine>> => {
  const read = async (provider: Infrastructure): Promise<Provided> => [
    provider,
    await objects.listOfCluster(provider.machine, namespace, name),
  ];
  const [machines, ...first] = await Promise.all([readMachines, ...(expected ? [read(expected)] : [])]);
  const others = providersOf(machines).filter((one) => !isSameProvider(one, expected));
  const listed = [...first, ...(await Promise.all(others.map(read)))];
  const lists = await Promise.all(
    listed.map(async ([provider, all]): Promise<Provided> => {
      const own = { resource: provider.machine, objects: all, nameOf: nameIn(provider) };
      const unlabelled = await findUnlabelled(objects, machines, own);
      return [provider, [...all, ...unlabelled]];
    }),
  );
  const named = new Map(machines.map((machine) => [machine.metadata.name, machine]));
  const isTaken = (object: KubeObject, machine: Machine | undefined): boolean =>
    machine !== undefined && isOfAnotherMachine(object, machine);
  return new Map(
    lists.flatMap(([provider, all]) =>
      [...byMachine(machines, all, nameIn(provider))]
        .filter(([machine, object]) => !isTaken(object, named.get(machine)))
        .map(([machine, object]) => [machine, provided(provider, object)] as const),
    ),
  );
};

/** The facts of the instances of a cluster's machines, by the name of their machine. */
export const instancesOf = ({ infrastructureMachines }: ClusterSnapshot): ReadonlyMap<string, InstanceFacts> =>
  new Map([...infrastructureMachines].map(([name, { facts }]) => [name, facts]));

/** A cluster with all its objects, or undefined if the Cluster no longer exists. Costs one query for each kind. */
export const readCluster = async (objects: SnapshotReads, ref: ClusterRef): Promise<ClusterSnapshot | undefined> => {
  const cluster = await readClusterObject(objects, ref);
  if (!cluster) return undefined;
  const { namespace, name } = ref;
  const { infrastructureRef } = cluster.spec;
  const provider = infrastructureOf('cluster', infrastructureRef);
  const reading = objects.listOfCluster(kinds.machine, namespace, name);
  const [infrastructureCluster, control, deployments, sets, machines, infrastructureMachines] = await Promise.all([
    provider && infrastructureRef
      ? objects.get(provider.cluster, { namespace, name: infrastructureRef.name })
      : undefined,
    readControlPlane(objects, cluster),
    objects.listOfCluster(kinds.machineDeployment, namespace, name),
    objects.listOfCluster(kinds.machineSet, namespace, name),
    reading,
    readInfrastructure(objects, ref, reading, provider),
  ]);
  const referred = unlessOthers(infrastructureCluster, cluster);
  return withStage({
    cluster,
    infrastructureCluster: (await unlessClaimed(objects, cluster, 'infrastructureRef', referred)) ?? null,
    provider,
    ...control,
    deployments,
    sets,
    machines,
    infrastructureMachines,
  });
};

/** All machines that do not belong to the control plane. */
export const workerMachines = (snapshot: ClusterSnapshot): Machine[] => {
  const { controlPlane, machines } = snapshot;
  return controlPlane ? machines.filter((machine) => !isControlledBy(machine, controlPlane)) : machines;
};

/** The machines of all sets of a deployment. */
export const machinesOfDeployment = ({ sets, machines }: ClusterSnapshot, deployment: MachineDeployment): Machine[] => {
  const owned = sets.filter((set) => isControlledBy(set, deployment));
  return machines.filter((machine) => owned.some((set) => isMemberOf(machine, set)));
};

/** The objects that are deleted with a Cluster; external ones only if the Cluster controls them. */
export const withoutOthers = ({ cluster, provider, distribution, ...found }: ClusterSnapshot) => {
  const own = <T extends KubeObject>(object: T | null, isOutside: boolean | undefined): T | null =>
    object && isOutside && !isControlledBy(object, cluster) ? null : object;
  return {
    infrastructureCluster: own(found.infrastructureCluster, provider?.isOutside),
    controlPlane: own(found.controlPlane, distribution?.isOutside),
  };
};
