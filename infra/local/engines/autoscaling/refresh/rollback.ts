import { emitRefresh } from '../events.ts';
import { activeMembers } from '../members.ts';
import type { Group, Refresh } from '../records.ts';
import type { AutoScaling } from '../state.ts';

/** The progress of a refresh, in full percent. */
export const percentageOf = ({ total, replaced, status }: Refresh): number => {
  if (total === 0) return status === 'Pending' ? 0 : 100;
  return Math.floor((replaced * 100) / total);
};

/** Reverts a refresh: the instances that it has launched are replaced by instances of the previous configuration. */
export const beginRollback = (as: AutoScaling, group: Group, refresh: Refresh, reason: string): void => {
  const fresh = activeMembers(group).filter(({ launchedAt }) => launchedAt >= refresh.startedAt);
  refresh.rollback = {
    reason,
    startedAt: as.now(),
    percentage: percentageOf(refresh),
    instances: refresh.total - refresh.replaced,
  };
  refresh.old.clear();
  for (const { id } of fresh) refresh.old.add(id);
  Object.assign(refresh, { status: 'RollbackInProgress', total: fresh.length, replaced: 0, progressAt: as.now() });
  Object.assign(refresh, { pausedUntil: undefined, reason });
  Object.assign(group, { retryAt: 0, failures: 0 });
  emitRefresh(as, group, refresh, 'Rollback Started');
};
