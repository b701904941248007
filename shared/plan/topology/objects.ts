import type { Cluster, Topology } from '../../kinds/cluster/schema.ts';
import type { ClusterClass } from '../../kinds/cluster-class/schema.ts';
import type { MachineDeployment } from '../../kinds/machine-deployment/schema.ts';
import type { MachinePool } from '../../kinds/machine-pool/schema.ts';
import type { JsonObject } from '../../kube-api/json.ts';
import type { KubeObject, OwnerReference } from '../../kube-api/object.ts';
import type { KindOf } from './kinds.ts';

/** Labels and annotations of managed topologies. */
export const TOPOLOGY_LABEL = {
  owned: 'topology.cluster.x-k8s.io/owned',
  deploymentName: 'topology.cluster.x-k8s.io/deployment-name',
  poolName: 'topology.cluster.x-k8s.io/pool-name',
} as const;

export const UPGRADE_STEP = 'topology.internal.cluster.x-k8s.io/upgrade-step';

/** An object of a kind that a provider defines. */
export interface AnyObject extends KubeObject {
  spec?: JsonObject;
  status?: JsonObject;
}

/** The templates of a group of workers. */
export interface WorkerTemplates {
  bootstrap: AnyObject;
  infrastructure: AnyObject;
}

/** A cluster with its class and the templates that the class refers to. */
export interface Blueprint {
  cluster: Cluster;
  topology: Topology;
  clusterClass: ClusterClass;
  infrastructureCluster: AnyObject;
  controlPlane: AnyObject;
  machineInfrastructure: AnyObject | undefined;
  /** By the names of the classes of workers. */
  machineDeployments: ReadonlyMap<string, WorkerTemplates>;
  machinePools: ReadonlyMap<string, WorkerTemplates>;
  /** The contract that the control plane implements in the version in which the class refers to it. */
  contract: 'v1beta1' | 'v1beta2';
  kindOf: KindOf;
}

/** The existing objects of a managed topology. Workers by their names in the topology. */
export interface CurrentTopology {
  controlPlane: AnyObject | undefined;
  machineDeployments: ReadonlyMap<string, { object: MachineDeployment; isUpgrading: boolean }>;
  machinePools: ReadonlyMap<string, { object: MachinePool; isUpgrading: boolean }>;
}

/** An owner reference to the cluster, so that an object is deleted with it. */
export const ownedBy = ({ metadata: { name, uid = '' } }: Cluster): OwnerReference => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  name,
  uid,
});

/** The members that are set. Undefined if none is, like Go's `omitempty`. */
export const someOf = <T extends object>(members: T): Partial<T> | undefined => {
  const set = Object.entries(members).filter(([, value]) => value !== undefined);
  return set.length > 0 ? (Object.fromEntries(set) as Partial<T>) : undefined;
};

type Texts = Readonly<Record<string, string>>;

/** Merges two maps. The first one takes precedence. */
export const mergeTexts = (first: Texts | undefined, second: Texts | undefined): Record<string, string> => ({
  ...second,
  ...first,
});
