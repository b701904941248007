import { isDeepStrictEqual } from 'node:util';
import type { Cluster } from '../../../../shared/kinds/index.ts';

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
