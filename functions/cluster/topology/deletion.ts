import type { Cluster } from '../../../shared/kinds/index.ts';
import { TopologyError } from '../../../shared/plan/topology/error.ts';
import { isDeletionDecided } from '../../../shared/plan/topology/hooks/deletion.ts';
import type { HookMemory } from '../../../shared/plan/topology/hooks/memory.ts';
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

/** Calls BeforeClusterDelete, and blocks the deletion until all extensions allow it (reconcileDelete). */
export const mayBeDeleted = async (deps: ExtensionDependencies, cluster: Cluster): Promise<Deletion> => {
  if (isDeletionDecided(cluster)) return { condition: deletingTopology(), mayBeDeleted: true };
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
