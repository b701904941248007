import { isDeepStrictEqual } from 'node:util';
import { type Cluster, kinds } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { isOfSomeCluster } from './owners.ts';

/** The fields of a Cluster with references to objects that it adopts. */
export type AdoptedRef = 'infrastructureRef' | 'controlPlaneRef';

const created = ({ metadata }: Cluster): string => metadata.creationTimestamp ?? '';

/**
 * The older Cluster to which an object without an owner belongs, because it also refers to the object: `cluster` is a
 * copy of it. `all`: the Clusters in the namespace. A Cluster in deletion adopts nothing any more.
 */
export const olderClaimant = (all: readonly Cluster[], cluster: Cluster, field: AdoptedRef): Cluster | undefined =>
  all.find(
    (one) =>
      created(one) < created(cluster) &&
      !one.metadata.deletionTimestamp &&
      isDeepStrictEqual(one.spec[field], cluster.spec[field]),
  );

/**
 * An object to which a Cluster refers; undefined if the Cluster is in deletion and the object, which nothing owns, belongs
 * to an older one: it is not deleted with a copy that did not adopt it. The Clusters are read only in this case.
 */
export const unlessClaimed = async <T extends KubeObject>(
  objects: Pick<ObjectClient, 'list'>,
  cluster: Cluster,
  field: AdoptedRef,
  object: T | undefined,
): Promise<T | undefined> => {
  const { namespace = '', deletionTimestamp } = cluster.metadata;
  if (!object || !deletionTimestamp || isOfSomeCluster(object)) return object;
  return olderClaimant(await objects.list(kinds.cluster, namespace), cluster, field) ? undefined : object;
};
