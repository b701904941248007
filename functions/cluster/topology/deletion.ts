import type { Cluster } from '../../../shared/kinds/index.ts';
import { findCondition } from '../../../shared/plan/status/conditions.ts';
import { TopologyError } from '../../../shared/plan/topology/error.ts';
import { type HookMemory, hookMemoryOf } from '../../../shared/plan/topology/hooks/memory.ts';
import { HookSession } from '../../../shared/plan/topology/hooks/session.ts';
import {
  deletingTopology,
  failedTopology,
  type TopologyCondition,
} from '../../../shared/plan/topology/upgrade/condition.ts';
import { type ExtensionDependencies, planWithAnswers } from './extensions.ts';

interface Deletion {
  condition: TopologyCondition;
  memory?: HookMemory;
  mayBeDeleted: boolean;
}

/** Whether an earlier pass has found that nothing blocks the deletion: extensions are called once. */
const isDecided = (cluster: Cluster): boolean => {
  const found = findCondition(cluster.status?.conditions, 'TopologyReconciled');
  return (
    hookMemoryOf(cluster).okToDelete || (found?.reason === 'Deleting' && found.message === deletingTopology().message)
  );
};

/** Calls BeforeClusterDelete, and blocks the deletion until all extensions allow it (reconcileDelete). */
export const mayBeDeleted = async (deps: ExtensionDependencies, cluster: Cluster): Promise<Deletion> => {
  if (isDecided(cluster)) return { condition: deletingTopology(), mayBeDeleted: true };
  const now = deps.clock.now();
  try {
    const { session, passes } = await planWithAnswers(deps, cluster, (known) => {
      const made = new HookSession(cluster, known, now);
      const isFree = made.passes('BeforeClusterDelete');
      if (isFree) made.markOkToDelete();
      return { session: made, passes: isFree };
    });
    return { condition: deletingTopology(session.blocking), memory: session.memory, mayBeDeleted: passes };
  } catch (error) {
    if (!(error instanceof TopologyError)) throw error;
    return { condition: failedTopology(error.message), mayBeDeleted: false };
  }
};
