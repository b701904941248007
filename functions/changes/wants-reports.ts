import type { Cluster } from '../../shared/kinds/cluster/schema.ts';
import { reportedBy } from '../../shared/kinds/rules/report-changes.ts';
import type { ResourceId } from '../../shared/kube-api/object.ts';
import type { Storage } from '../../shared/kube-api/storage/storage.ts';
import { isPaused } from '../../shared/plan/status/cluster-claims.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';

const CLUSTERS: ResourceId = { group: 'cluster.x-k8s.io', plural: 'clusters' };

/**
 * Whether a pass over the cluster would act on reported changes. It would not without the annotation, or while the
 * cluster is paused or being deleted. A cluster that no longer exists gets a pass, which removes the rest of its
 * records.
 */
export const makeWantsReports =
  (storage: Pick<Storage, 'get'>) =>
  async ({ namespace, name, uid }: ClusterRef): Promise<boolean> => {
    // The type is safe: every stored item was admitted as a Cluster.
    const cluster = (await storage.get(CLUSTERS, namespace, name)) as Cluster | undefined;
    if (cluster?.metadata.uid !== uid) return true;
    return reportedBy(cluster).length > 0 && !isPaused(cluster) && !cluster.metadata.deletionTimestamp;
  };
