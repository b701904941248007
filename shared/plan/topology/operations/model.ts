import type { Cluster } from '../../../kinds/cluster/schema.ts';
import type { ResourceDefinition } from '../../../kube-api/resource.ts';
import type { AnyObject, CurrentTopology } from '../objects.ts';

/**
 * The field manager of the fields that a topology sets in its objects: upstream's name, so that a cluster that moves to
 * or from Cluster API causes no conflict and leaves no field behind (decision 59).
 */
export const TOPOLOGY_MANAGER = 'capi-topology';

/** The event that is recorded when an operation has been carried out. Reasons and messages are upstream's. */
export interface TopologyEvent {
  reason: 'TopologyCreate' | 'TopologyUpdate' | 'TopologyDelete';
  message: string;
  /** Events of health checks are recorded on them; those of all other objects are recorded on the Cluster. */
  on: 'Cluster' | 'object';
}

/** Applies an object as TOPOLOGY_MANAGER. */
export interface ApplyObject {
  do: 'apply';
  resource: ResourceDefinition;
  /** Includes the uid of the existing object, so that an apply never recreates an object that has just been deleted. */
  intent: AnyObject;
  /** The object after the operation. */
  result: AnyObject;
  event: TopologyEvent;
}

export interface DeleteObject {
  do: 'delete';
  resource: ResourceDefinition;
  object: AnyObject;
  event?: TopologyEvent;
}

/** Gives the Cluster its references, its labels and the annotation of the step of an upgrade. */
export interface ReferToObjects {
  do: 'refer';
  from: Cluster;
  cluster: Cluster;
  event: TopologyEvent;
}

export type TopologyOperation = ApplyObject | DeleteObject | ReferToObjects;

/** All existing objects of a managed cluster, as a pass has read them. */
export interface LiveTopology extends CurrentTopology {
  cluster: Cluster;
  /**
   * By `keyOf`: the infrastructure, the control plane, and the objects of the other kinds in the index of the cluster.
   */
  objects: ReadonlyMap<string, AnyObject>;
  /** Keys of the templates that MachineSets refer to. */
  usedBySets: ReadonlySet<string>;
}

export const keyOf = (kind: string, name: string): string => `${kind}/${name}`;

export const keyOfObject = ({ kind, metadata }: Pick<AnyObject, 'kind' | 'metadata'>): string =>
  keyOf(kind, metadata.name);
