import { withVersionPrefix } from '../rules/bootstrap/version.ts';
import type { Cluster } from './schema.ts';

/** The version of a topology gets its `v`. Upstream defaults nothing else without a ClusterClass. */
export const defaultCluster = (cluster: Cluster): Cluster => {
  const { topology } = cluster.spec;
  if (!topology) return cluster;
  return {
    ...cluster,
    spec: { ...cluster.spec, topology: { ...topology, version: withVersionPrefix(topology.version) } },
  };
};
