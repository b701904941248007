import { kinds } from '../../../shared/kinds/index.ts';
import { withoutFinalizer } from '../../../shared/kube-api/registry/finalizers.ts';
import { partsOf, RANCHER_FINALIZER } from '../../../shared/plan/rancher/names.ts';
import { notProvisioned, readyClaim } from '../../../shared/plan/rancher/status.ts';
import { findCondition } from '../../../shared/plan/status/conditions.ts';
import { isControlledBy } from '../owners.ts';
import { touchingMade } from './carry-out.ts';
import type { RancherDependencies } from './dependencies.ts';
import type { Made } from './read.ts';
import { say } from './say.ts';

/** Deletes the Cluster of Cluster API, which removes one machine after the other and frees the hosts. */
const removeMade = async (deps: RancherDependencies, state: Made): Promise<void> => {
  const { made } = state;
  if (!made) return;
  await touchingMade(deps, state, async () => {
    if (made.metadata.deletionTimestamp) return false;
    await deps.objects.delete(kinds.cluster, made);
    return true;
  });
  const deleting = findCondition(made.status?.conditions, 'Deleting');
  const words = ['The cluster is being removed', deleting?.message ?? ''].filter((text) => text !== '').join(': ');
  await say(deps, state, [notProvisioned('Removing', words), readyClaim(undefined)]);
};

/** Deletes the rest, which has no finalizers: the namespace with Hosts and Secrets, and the Kubeconfig. */
const removeRest = async ({ objects }: RancherDependencies, { cluster, namespace, isOwn }: Made): Promise<void> => {
  const { name } = partsOf(cluster);
  const key = { namespace: '', name };
  const kubeconfig = await objects.get(kinds.rancherKubeconfig, key);
  if (kubeconfig && isControlledBy(kubeconfig, cluster)) await objects.delete(kinds.rancherKubeconfig, kubeconfig);
  if (namespace && isOwn && !namespace.metadata.deletionTimestamp) await objects.delete(kinds.namespace, namespace);
  await objects.mutate(kinds.rancherCluster, cluster, withoutFinalizer(RANCHER_FINALIZER));
};

/** A pass over a Cluster that is being deleted. Returns whether it is gone. */
export const remove = async (deps: RancherDependencies, state: Made): Promise<boolean> => {
  await removeMade(deps, state);
  if (state.made) return false;
  await removeRest(deps, state);
  return true;
};
