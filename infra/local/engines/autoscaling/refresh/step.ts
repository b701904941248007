/** An instance refresh, step by step. Source: the guide, "How an instance refresh works". */
import type * as sdk from '@aws-sdk/client-auto-scaling';
import { chooseVictim } from '../choose.ts';
import { emitRefresh } from '../events.ts';
import { activeMembers, capacityOf, isLeaving } from '../members.ts';
import type { Group, Member, Refresh } from '../records.ts';
import { type AutoScaling, does, scaled } from '../state.ts';
import { because, beginTermination } from '../terminate.ts';
import { activeRefresh } from './active.ts';
import { allowance, mayDipBelow, minUnits, oldMembers } from './pace.ts';
import { beginRollback } from './rollback.ts';

/** A refresh without progress for this time has failed. */
const PATIENCE_SECONDS = 3600;

const EVENTS: Readonly<Partial<Record<sdk.InstanceRefreshStatus, string>>> = {
  Successful: 'Succeeded',
  Failed: 'Failed',
  Cancelled: 'Cancelled',
  RollbackSuccessful: 'Rollback Succeeded',
  RollbackFailed: 'Rollback Failed',
};

const end = (
  as: AutoScaling,
  group: Group,
  refresh: Refresh,
  status: sdk.InstanceRefreshStatus,
  reason?: string,
): true => {
  refresh.status = status;
  refresh.reason = reason ?? refresh.reason;
  refresh.endedAt = as.now();
  // The source of launches has changed, so earlier failures of the refresh do not apply to it.
  Object.assign(group, { retryAt: 0, failures: 0 });
  if (status === 'Successful') {
    refresh.replaced = refresh.total;
    if (refresh.desired) group.source = refresh.desired;
  }
  emitRefresh(as, group, refresh, EVENTS[status] ?? status);
  return true;
};

const fail = (as: AutoScaling, group: Group, refresh: Refresh, reason: string): true => {
  if (refresh.status === 'RollbackInProgress') return end(as, group, refresh, 'RollbackFailed', reason);
  if (!refresh.preferences.AutoRollback) return end(as, group, refresh, 'Failed', reason);
  beginRollback(as, group, refresh, reason);
  return true;
};

/** Whether an instance counts as healthy; a new one does so only after its warm-up. */
const isReady = (as: AutoScaling, refresh: Refresh, { state, inServiceAt, unhealthy, launchedAt }: Member): boolean => {
  if (state !== 'InService' || unhealthy !== undefined) return false;
  const isNew = launchedAt >= refresh.startedAt;
  const warmup = isNew ? scaled(as, refresh.preferences.InstanceWarmup ?? 0) : 0;
  return as.now() >= (inServiceAt ?? as.now()) + warmup;
};

const countProgress = (as: AutoScaling, group: Group, refresh: Refresh): void => {
  const gone = refresh.total - oldMembers(group, refresh).length;
  const waiting = activeMembers(group).filter((member) => !refresh.old.has(member.id) && !isReady(as, refresh, member));
  const missing = Math.max(0, group.desired - capacityOf(activeMembers(group)));
  const replaced = Math.max(refresh.replaced, gone - waiting.length - missing);
  if (replaced > refresh.replaced) refresh.progressAt = as.now();
  refresh.replaced = replaced;
};

/** Pauses at a reached checkpoint. Returns whether it is the last one of a refresh that must not continue. */
const passCheckpoint = (as: AutoScaling, group: Group, refresh: Refresh): boolean => {
  const { CheckpointPercentages: percentages = [], CheckpointDelay: seconds = 3600 } = refresh.preferences;
  const next = percentages[refresh.checkpoints];
  if (next === undefined || next === 100 || refresh.status !== 'InProgress') return false;
  if (refresh.total === 0 || (refresh.replaced * 100) / refresh.total < next) return false;
  refresh.checkpoints += 1;
  emitRefresh(as, group, refresh, 'Checkpoint Reached', {
    CheckpointPercentage: String(next),
    CheckpointDelay: String(seconds),
  });
  if (refresh.checkpoints === percentages.length) return true;
  refresh.pausedUntil = as.now() + scaled(as, seconds);
  refresh.reason = `Waiting for ${seconds} seconds after the checkpoint at ${next} percent.`;
  return false;
};

const replaceable = (group: Group, refresh: Refresh): Member[] =>
  oldMembers(group, refresh).filter(
    ({ isProtected }) => !isProtected || refresh.preferences.ScaleInProtectedInstances === 'Refresh',
  );

const replace = (as: AutoScaling, group: Group, member: Member): void =>
  beginTermination(as, group, member, {
    cause: because(as, 'an instance was taken out of service in response to an instance refresh.'),
  });

/** Terminates as many old instances as the preferences currently allow. Returns whether there were any. */
const replaceSome = (as: AutoScaling, group: Group, refresh: Refresh): boolean => {
  if (!does(group, 'Launch') || !does(group, 'Terminate')) return false;
  let count = 0;
  for (let left = allowance(group, refresh); left > 0; left -= 1) {
    // Protection was already checked.
    const candidates = replaceable(group, refresh).map((member) => ({ ...member, isProtected: false }));
    const victim = group.members.get(chooseVictim(as, group, candidates)?.id ?? '');
    const active = activeMembers(group);
    const ready = active.filter((member) => isReady(as, refresh, member));
    if (!victim) break;
    const rest = capacityOf(ready.filter((member) => member !== victim));
    const isWhole = ready.length === active.length && capacityOf(active) >= group.desired;
    const isAllowed = rest >= minUnits(group, refresh) || (isWhole && mayDipBelow(group, refresh));
    if (!isAllowed) break;
    replace(as, group, victim);
    count += 1;
  }
  return count > 0;
};

const finish = (as: AutoScaling, group: Group, refresh: Refresh): true => {
  if (refresh.status === 'RollbackInProgress') return end(as, group, refresh, 'RollbackSuccessful');
  const { BakeTime: seconds = 0 } = refresh.preferences;
  if (seconds === 0) return end(as, group, refresh, 'Successful');
  refresh.status = 'Baking';
  refresh.bakesUntil = as.now() + scaled(as, seconds);
  return true;
};

const isComplete = (as: AutoScaling, group: Group, refresh: Refresh): boolean => {
  const active = activeMembers(group);
  const isWhole = capacityOf(active) >= group.desired || !does(group, 'Launch');
  return oldMembers(group, refresh).length === 0 && isWhole && active.every((member) => isReady(as, refresh, member));
};

const advance = (as: AutoScaling, group: Group, refresh: Refresh): boolean => {
  if (refresh.preferences.ScaleInProtectedInstances === 'Ignore')
    for (const { id, isProtected } of oldMembers(group, refresh)) if (isProtected) refresh.old.delete(id);
  countProgress(as, group, refresh);
  if (refresh.pausedUntil !== undefined && as.now() < refresh.pausedUntil) return false;
  if (refresh.pausedUntil !== undefined) {
    Object.assign(refresh, { pausedUntil: undefined, reason: undefined, progressAt: as.now() });
    return true;
  }
  if (isComplete(as, group, refresh) || passCheckpoint(as, group, refresh)) return finish(as, group, refresh);
  if (refresh.pausedUntil !== undefined) return true;
  if (as.now() - refresh.progressAt > scaled(as, PATIENCE_SECONDS))
    return fail(as, group, refresh, 'The instance refresh has made no progress for an hour.');
  return replaceSome(as, group, refresh);
};

const cancel = (as: AutoScaling, group: Group, refresh: Refresh): boolean => {
  const isMoving = [...group.members.values()].some(
    (member) => member.state.startsWith('Pending') || isLeaving(member),
  );
  if (refresh.waitsForInstances && isMoving) return false;
  return end(as, group, refresh, 'Cancelled');
};

/** Advances the refresh of a group. Returns whether anything has changed. */
export const stepRefresh = (as: AutoScaling, group: Group): boolean => {
  const refresh = activeRefresh(group);
  if (!refresh || !does(group, 'InstanceRefresh')) return false;
  if (group.isDeleting) return end(as, group, refresh, 'Cancelled', 'The Auto Scaling group is deleted.');
  if (refresh.status === 'Cancelling') return cancel(as, group, refresh);
  if (refresh.status === 'Baking')
    return as.now() >= (refresh.bakesUntil ?? 0) && end(as, group, refresh, 'Successful');
  if (refresh.status === 'Pending') {
    refresh.status = 'InProgress';
    return true;
  }
  return advance(as, group, refresh);
};
