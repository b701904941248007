import { type Cluster, kinds, type Secret } from '../../../../shared/kinds/index.ts';
import { type KubeObject, keyOf } from '../../../../shared/kube-api/object.ts';
import { withoutFinalizer } from '../../../../shared/kube-api/registry/finalizers.ts';
import { isControlPlaneMachine } from '../../../../shared/plan/labels.ts';
import { isPaused } from '../../../../shared/plan/status/cluster-claims.ts';
import { isObjectPaused } from '../../../../shared/plan/status/paused.ts';
import { isOwnedBy } from '../../owners.ts';
import type { ClusterSnapshot } from '../../snapshot.ts';
import type { ObjectsDependencies } from '../dependencies.ts';

/**
 * As upstream does, removes the finalizer of a control plane that was deleted without its Cluster once it owns no
 * machine: after `--cascade=orphan`, or before it has created any. If machines remain, so do the Secrets that they
 * trust.
 */
export const releaseControlPlane = async (
  { objects }: Pick<ObjectsDependencies, 'objects'>,
  { cluster, controlPlane, distribution, machines }: ClusterSnapshot,
): Promise<void> => {
  const { finalizer } = distribution ?? {};
  if (!controlPlane || !distribution || finalizer === undefined || distribution.isOutside) return;
  // If its Cluster is deleted as well, the order of the Cluster's deletion applies.
  if (!controlPlane.metadata.deletionTimestamp || cluster.metadata.deletionTimestamp) return;
  if (isPaused(cluster) || isObjectPaused(controlPlane)) return;
  if (machines.some((machine) => isOwnedBy(machine, controlPlane))) return;
  if (machines.some(isControlPlaneMachine)) await keepSecrets(objects, cluster, controlPlane);
  const { uid } = controlPlane.metadata;
  await objects.mutate(distribution.controlPlane, keyOf(controlPlane), (current) =>
    current.metadata.uid === uid ? withoutFinalizer(finalizer)(current) : undefined,
  );
};

/** The garbage collector has already released them, unless a user has removed the owner of the machines. */
const keepSecrets = async (
  objects: ObjectsDependencies['objects'],
  { metadata: { namespace = '', name } }: Cluster,
  owner: KubeObject,
): Promise<void> => {
  const listed = await objects.listOfCluster(kinds.secret, namespace, name, { unopened: true });
  const owned = listed.filter((secret) => isOwnedBy(secret, owner));
  const released = (secret: Secret): Secret => ({
    ...secret,
    metadata: {
      ...secret.metadata,
      ownerReferences: secret.metadata.ownerReferences?.filter(({ uid }) => uid !== owner.metadata.uid),
    },
  });
  await Promise.all(owned.map((secret) => objects.mutate(kinds.secret, keyOf(secret), released)));
};
