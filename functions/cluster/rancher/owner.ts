import { type Cluster, kinds } from '../../../shared/kinds/index.ts';
import { namespaceOfRancher } from '../../../shared/kinds/rancher-cluster/names.ts';
import { isOwnedByKind } from '../../../shared/kinds/reference.ts';
import type { Touch } from '../../../shared/store/work/executions.ts';
import type { ClusterRef } from '../../../shared/work/payloads.ts';

/**
 * Whether a pass is over a Cluster of Rancher's group: these have no namespace, while those of Cluster API have one.
 */
export const isRancher = ({ namespace }: ClusterRef): boolean => namespace === '';

/**
 * The Cluster of Rancher's group for which a Cluster was created. A user who can write the object can name any owner,
 * so its namespace must belong to the same owner.
 */
const rancherOwner = ({ metadata }: Cluster): ClusterRef | undefined => {
  const owner = metadata.ownerReferences?.find(
    (one) => one.controller === true && isOwnedByKind(kinds.rancherCluster)(one),
  );
  if (!owner || metadata.namespace !== namespaceOfRancher(owner.name)) return undefined;
  return { namespace: '', name: owner.name, uid: owner.uid };
};

/**
 * Requests a pass over the Cluster of Rancher's group for which a Cluster was created, so that its conditions are
 * updated.
 */
export const tellOwner = async ({ touch }: { touch: Touch }, cluster: Cluster): Promise<void> => {
  const owner = rancherOwner(cluster);
  if (owner) await touch(owner, { isNews: true });
};
