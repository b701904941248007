import { type Cluster, type ClusterResourceSetBinding, kinds } from '../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { newBinding } from '../../../shared/plan/addons/binding.ts';

/** The binding of a cluster, which has the cluster's name. */
export const readBinding = (
  objects: ObjectClient,
  { metadata: { namespace = '', name } }: Cluster,
): Promise<ClusterResourceSetBinding | undefined> => objects.get(kinds.clusterResourceSetBinding, { namespace, name });

/** Changes the binding of a cluster, and creates it if there is none. */
export const writeBinding = async (
  objects: ObjectClient,
  cluster: Cluster,
  change: (binding: ClusterResourceSetBinding) => ClusterResourceSetBinding,
): Promise<void> => {
  const { namespace = '', name } = cluster.metadata;
  const first = change(newBinding(cluster));
  const { created } = await objects.ensure(kinds.clusterResourceSetBinding, first);
  if (!created) await objects.mutate(kinds.clusterResourceSetBinding, { namespace, name }, change);
};
