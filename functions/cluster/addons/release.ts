import { type Cluster, type ClusterResourceSet, kinds } from '../../../shared/kinds/index.ts';
import { withoutFinalizer } from '../../../shared/kube-api/registry/finalizers.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { holdsSet, withoutSet } from '../../../shared/plan/addons/binding.ts';
import { selectsCluster } from '../../../shared/plan/addons/selection.ts';
import { FINALIZER } from '../../../shared/plan/labels.ts';
import { readBinding } from './bindings.ts';

/**
 * Removes the bindings between sets and clusters in deletion: the complete binding of a cluster, or the entries of a
 * set. A set that is in no binding any more loses its finalizer. Applied objects stay in place, as upstream leaves
 * them.
 */
export const releaseAddons = async (objects: ObjectClient, cluster: Cluster): Promise<void> => {
  const { namespace = '' } = cluster.metadata;
  const sets = (await objects.list(kinds.clusterResourceSet, namespace)).filter(isHeld);
  const leaving = sets.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  if (cluster.metadata.deletionTimestamp) {
    const binding = await readBinding(objects, cluster);
    if (binding) await objects.delete(kinds.clusterResourceSetBinding, binding);
    await letGo(objects, namespace, sets);
  } else if (leaving.length > 0) {
    await leaveBinding(objects, cluster, leaving);
    await letGo(objects, namespace, leaving);
  }
};

const isHeld = ({ metadata }: ClusterResourceSet): boolean =>
  metadata.finalizers?.includes(FINALIZER.clusterResourceSet) === true;

const leaveBinding = async (
  objects: ObjectClient,
  cluster: Cluster,
  leaving: readonly ClusterResourceSet[],
): Promise<void> => {
  const { namespace = '', name } = cluster.metadata;
  const key = { namespace, name };
  for (const set of leaving) {
    const binding = await readBinding(objects, cluster);
    if (!binding || !holdsSet(binding, set.metadata.name)) continue;
    if (!withoutSet(binding, set.metadata.name)) await objects.delete(kinds.clusterResourceSetBinding, binding);
    else {
      await objects.mutate(kinds.clusterResourceSetBinding, key, (current) => withoutSet(current, set.metadata.name));
    }
  }
};

/** The finalizer protects bindings; without any bindings, it would only block the deletion of the set. */
const letGo = async (objects: ObjectClient, namespace: string, sets: readonly ClusterResourceSet[]): Promise<void> => {
  if (sets.length === 0) return;
  const [bindings, clusters] = await Promise.all([
    objects.list(kinds.clusterResourceSetBinding, namespace),
    objects.list(kinds.cluster, namespace),
  ]);
  const alive = clusters.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const names = new Set(clusters.map(({ metadata }) => metadata.name));
  const isNeeded = (set: ClusterResourceSet): boolean =>
    // No pass would ever remove the set from the binding of a cluster that no longer exists, such as a restored one.
    bindings.some((binding) => names.has(binding.spec.clusterName) && holdsSet(binding, set.metadata.name)) ||
    // A pass over one of these clusters may be about to write its binding.
    (!set.metadata.deletionTimestamp && alive.some((one) => selectsCluster(set, one)));
  await Promise.all(
    sets
      .filter((set) => !isNeeded(set))
      .map((set) => objects.mutate(kinds.clusterResourceSet, set, withoutFinalizer(FINALIZER.clusterResourceSet))),
  );
};
