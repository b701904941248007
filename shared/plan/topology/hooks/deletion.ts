import type { Cluster } from '../../../kinds/index.ts';
import { findCondition } from '../../status/conditions.ts';
import { deletingTopology } from '../upgrade/condition.ts';
import { hookMemoryOf } from './memory.ts';

/** Whether an earlier pass has found that nothing blocks the deletion: extensions are called once. */
export const isDeletionDecided = (cluster: Cluster): boolean => {
  const found = findCondition(cluster.status?.conditions, 'TopologyReconciled');
  return (
    hookMemoryOf(cluster).okToDelete || (found?.reason === 'Deleting' && found.message === deletingTopology().message)
  );
};

/** Whether the deletion of a Cluster waits for BeforeClusterDelete: nothing of the cluster is deleted until then. */
export const isDeletionHeld = (cluster: Cluster): boolean =>
  cluster.metadata.deletionTimestamp !== undefined &&
  cluster.spec.topology !== undefined &&
  !isDeletionDecided(cluster);
