import { formatTime } from '../../kube-api/object.ts';
import { NOT_RECONCILED_YET } from '../rules/not-reconciled.ts';
import { withVersionPrefix } from '../rules/version.ts';
import type { Cluster, ClusterStatus } from './schema.ts';

/** The version of a topology gets its `v`; upstream defaults nothing else without a ClusterClass. */
export const defaultCluster = (cluster: Cluster): Cluster => {
  const { topology } = cluster.spec;
  if (!topology) return cluster;
  return {
    ...cluster,
    spec: { ...cluster.spec, topology: { ...topology, version: withVersionPrefix(topology.version) } },
  };
};

/** Cluster API's own condition for topologies, as long as no cluster is made from one. */
export const TOPOLOGY_NOT_RECONCILED = {
  type: 'TopologyReconciled',
  status: 'False',
  reason: NOT_RECONCILED_YET,
  message: 'Stored, and spec.topology has no effect yet: no objects are created from the ClusterClass',
} as const;

/** A Cluster with a topology says from the first moment that nothing will come of it. */
export const initialClusterStatus = ({ spec }: Cluster, now: Date): ClusterStatus | undefined =>
  spec.topology && {
    conditions: [{ ...TOPOLOGY_NOT_RECONCILED, lastTransitionTime: formatTime(now), observedGeneration: 1 }],
  };
