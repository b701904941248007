import { DISTRIBUTIONS } from '../../../../shared/distributions/registry.ts';
import { type Cluster, type ConfigMap, kinds } from '../../../../shared/kinds/index.ts';
import { isOwnedByKind } from '../../../../shared/kinds/reference.ts';
import type { KubeObject, OwnerReference } from '../../../../shared/kube-api/object.ts';
import { withoutFinalizer } from '../../../../shared/kube-api/registry/finalizers.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import { FINALIZER } from '../../../../shared/plan/labels.ts';
import { TOPOLOGY_LABEL } from '../../../../shared/plan/topology/objects.ts';
import { INFRASTRUCTURES } from '../../../../shared/providers/registry.ts';
import { LOCK_KEY, lockKey } from '../../../machine/objects/init-lock.ts';
import { HELD_KINDS } from '../../abandoned/kinds.ts';
import { type HeldObject, releaseAbandoned } from '../../abandoned/release.ts';
import { tellOwner } from '../../rancher/owner.ts';
import { type ClusterSnapshot, withoutOthers } from '../../snapshot.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { collectTemplates } from './templates.ts';

/**
 * Removes the finalizer of a Cluster when all its parts are gone. Its dependents are deleted first, as Kubernetes'
 * garbage collector would do. Objects without an owner (a user's own CA, a template of several clusters) stay.
 */
export const finalize = async (
  deps: ObjectsDependencies,
  cluster: Cluster,
  snapshot: ClusterSnapshot,
): Promise<void> => {
  const { deployments, sets, machines } = snapshot;
  const { infrastructureCluster, controlPlane } = withoutOthers(snapshot);
  if (infrastructureCluster || controlPlane || deployments.length + sets.length + machines.length > 0) return;
  await Promise.all([
    collectTemplates(deps, cluster),
    ...INFRASTRUCTURES.flatMap(({ machine, pool }) => [
      ...(pool ? [collectDependents(deps, pool.kind, cluster)] : []),
      collectDependents(deps, machine, cluster),
    ]),
    ...DISTRIBUTIONS.map(({ config }) => collectDependents(deps, config, cluster)),
    ...(cluster.spec.topology ? TOPOLOGY_KINDS.map((kind) => collectUnclaimed(deps, kind, cluster)) : []),
    // Each health check belongs to one cluster; the first pass over its machines makes that cluster its owner.
    collectDependents(deps, kinds.machineHealthCheck, cluster, () => true),
    collectDependents(deps, kinds.secret, cluster),
    collectDependents(deps, kinds.configMap, cluster, (found) => isDependent(found) || isOwnLock(found, cluster)),
  ]);
  await releaseHeld(deps, cluster);
  await deps.objects.mutate(kinds.cluster, cluster, withoutFinalizer(FINALIZER.cluster));
  await tellOwner(deps, cluster);
};

/**
 * Deletes objects whose only owner was this Cluster, and removes the finalizers of objects that no later pass will
 * find.
 */
const releaseHeld = async ({ objects }: ObjectsDependencies, cluster: Cluster): Promise<void> => {
  const { namespace = '', name, uid } = cluster.metadata;
  const isOwned = ({ metadata: { ownerReferences = [] } }: KubeObject): boolean =>
    ownerReferences.length > 0 && ownerReferences.every((owner) => owner.uid === uid);
  const lists = HELD_KINDS.map(async (kind): Promise<HeldObject[]> => {
    const found = await objects.listOfCluster(kind.resource, namespace, name);
    const owned = found.filter((object) => !object.metadata.deletionTimestamp && isOwned(object));
    await Promise.all(owned.map((object) => objects.delete(kind.resource, object)));
    const left = owned.length === 0 ? found : await objects.listOfCluster(kind.resource, namespace, name);
    return left.map((object) => ({ kind, object }));
  });
  await releaseAbandoned(objects, namespace, (await Promise.all(lists)).flat());
};

/** The groups of Cluster API, its providers and Windlass. */
const GROUPS = /(^|\.)(cluster\.x-k8s\.io|windlass\.dev)\//;

const isPartOfClusters = (owner: OwnerReference): boolean =>
  GROUPS.test(owner.apiVersion) && !isOwnedByKind(kinds.clusterResourceSet)(owner);

/**
 * Objects with another owner do not belong to the cluster, even if they have its label. Examples are a
 * ClusterResourceSet, and the source of a user's Secret, such as an ExternalSecret. They are deleted with that owner.
 */
const isDependent = ({ metadata: { ownerReferences = [] } }: KubeObject): boolean =>
  ownerReferences.length > 0 && ownerReferences.every(isPartOfClusters);

/**
 * Whether a ConfigMap is the lock of `kubeadm init`, even without its owner: if it stayed, no later cluster with this
 * name could be initialized.
 */
const isOwnLock = ({ metadata, data }: ConfigMap, cluster: Cluster): boolean =>
  metadata.name === lockKey(cluster).name && (metadata.ownerReferences ?? []).length === 0 && LOCK_KEY in (data ?? {});

/**
 * Deletes the cluster's indexed objects; by default, those whose owners all belonged to the cluster and no longer
 * exist.
 */
const collectDependents = async <T extends KubeObject>(
  { objects }: ObjectsDependencies,
  resource: ResourceDefinition<T>,
  { metadata: { namespace = '', name } }: Cluster,
  isMeant: (object: T) => boolean = isDependent,
): Promise<void> => {
  // The metadata decides: a Secret that cannot be opened must not block the deletion of the cluster.
  const listed = await objects.listOfCluster(resource, namespace, name, { unopened: true });
  const found = listed.filter(isMeant);
  await Promise.all(found.map((object) => objects.delete(resource, object)));
};

const TOPOLOGY_KINDS: readonly ResourceDefinition[] = [
  ...INFRASTRUCTURES.map(({ cluster }) => cluster),
  ...DISTRIBUTIONS.map(({ controlPlane }) => controlPlane),
];

/**
 * Deletes objects that a topology created but to which the Cluster does not refer, because it was deleted in between.
 * Nothing was created for them, because passes handle only objects to which the Cluster refers.
 */
const collectUnclaimed = async (
  { objects }: ObjectsDependencies,
  resource: ResourceDefinition,
  { metadata: { namespace = '', name } }: Cluster,
): Promise<void> => {
  const found = await objects.listOfCluster(resource, namespace, name);
  const unclaimed = found.filter(
    ({ metadata: { labels = {}, ownerReferences = [] } }) =>
      TOPOLOGY_LABEL.owned in labels && ownerReferences.length === 0,
  );
  await Promise.all(unclaimed.map((object) => objects.delete(resource, object)));
};
