import type { ControlPlane } from '../../shared/kinds/contract-objects.ts';
import { type Cluster, kinds, type Machine } from '../../shared/kinds/index.ts';
import { isOwnedByKind } from '../../shared/kinds/reference.ts';
import type { KubeObject, OwnerReference } from '../../shared/kube-api/object.ts';
import { LABEL } from '../../shared/plan/labels.ts';

/** Whether `object` is controlled by `owner`. */
export const isControlledBy = (object: KubeObject, owner: KubeObject): boolean =>
  object.metadata.ownerReferences?.some((o) => o.controller === true && o.uid === owner.metadata.uid) === true;

/** Whether `owner` is one of the owners of `object`. */
export const isOwnedBy = (object: KubeObject, owner: KubeObject): boolean =>
  object.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true;

/**
 * Whether a Machine other than this one controls an object to which both refer. Names are compared, as upstream does:
 * after a restored backup, an object may have the former uid of its own Machine.
 */
export const isOfAnotherMachine = ({ metadata }: KubeObject, machine: Machine): boolean =>
  metadata.ownerReferences?.some(
    (owner) => owner.controller === true && isOwnedByKind(kinds.machine)(owner) && owner.name !== machine.metadata.name,
  ) === true;

/** The first Cluster among the owners of an object. */
const owningCluster = ({ metadata }: KubeObject): OwnerReference | undefined =>
  metadata.ownerReferences?.find(isOwnedByKind(kinds.cluster));

/** Whether any Cluster owns an object. */
export const isOfSomeCluster = (object: KubeObject): boolean => owningCluster(object) !== undefined;

/**
 * The other Cluster that owns an object to which `cluster` refers; undefined if there is none.
 * Names are compared: after a restored backup, an object may have the former uid of its own Cluster.
 */
export const otherClusterOf = (object: KubeObject, cluster: Cluster): OwnerReference | undefined => {
  const owner = owningCluster(object);
  return owner?.name === cluster.metadata.name ? undefined : owner;
};

/**
 * An object to which a Cluster refers; undefined if another Cluster owns it, so that this one neither uses nor deletes
 * it.
 */
export const unlessOthers = <T extends KubeObject>(object: T | undefined, cluster: Cluster): T | undefined =>
  object && otherClusterOf(object, cluster) ? undefined : object;

/** Whether an object belongs to a Cluster, according to its owner, or to its label if it has no owner. */
export const isOfCluster = (object: KubeObject, cluster: Cluster): boolean => {
  const owner = owningCluster(object)?.name ?? object.metadata.labels?.[LABEL.clusterName];
  return owner === cluster.metadata.name;
};

/** The machines that the control plane owns. */
export const controlPlaneMachines = ({
  controlPlane,
  machines,
}: {
  controlPlane: ControlPlane | null;
  machines: readonly Machine[];
}): Machine[] => (controlPlane ? machines.filter((machine) => isControlledBy(machine, controlPlane)) : []);
