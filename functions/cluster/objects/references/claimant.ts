import { isDeepStrictEqual } from 'node:util';
import type { Cluster } from '../../../../shared/kinds/index.ts';

/** The fields of a Cluster that refer to objects which it adopts. */
export type AdoptedRef = 'infrastructureRef' | 'controlPlaneRef';

const created = ({ metadata }: Cluster): string => metadata.creationTimestamp ?? '';

/**
 * The older Cluster to which an object without an owner belongs, because it refers to it as well: `cluster` is a copy of
 * it. `all`: the Clusters of the namespace. One that is being deleted adopts nothing any more.
 */
export const olderClaimant = (all: readonly Cluster[], cluster: Cluster, field: AdoptedRef): Cluster | undefined =>
  all.find(
    (one) =>
      created(one) < created(cluster) &&
      !one.metadata.deletionTimestamp &&
      isDeepStrictEqual(one.spec[field], cluster.spec[field]),
  );
