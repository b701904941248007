import type { Cluster, ClusterResourceSet } from '../../kinds/index.ts';
import { isEmptySelector, selects } from '../../kinds/rules/kubernetes/label-selector.ts';

/**
 * Whether the set selects the cluster, which must be in the same namespace, by its labels. An empty selector selects
 * nothing.
 */
export const selectsCluster = (set: ClusterResourceSet, cluster: Cluster): boolean =>
  set.metadata.namespace === cluster.metadata.namespace &&
  !isEmptySelector(set.spec.clusterSelector) &&
  selects(set.spec.clusterSelector, cluster.metadata.labels);
