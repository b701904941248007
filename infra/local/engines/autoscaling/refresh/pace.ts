/** The number of instances that a refresh may replace at a time. */
import { activeMembers, capacityOf } from '../members.ts';
import type { Group, Member, Refresh } from '../records.ts';
import { activeRefresh } from './active.ts';

/** The active instances that a refresh still has to replace. */
export const oldMembers = (group: Group, { old }: Refresh): Member[] =>
  activeMembers(group).filter(({ id }) => old.has(id));

/** How many more old instances may be terminated before the next checkpoint. */
export const allowance = (group: Group, refresh: Refresh): number => {
  const left = oldMembers(group, refresh).length;
  const percentages = refresh.preferences.CheckpointPercentages ?? [];
  if (percentages.length === 0 || refresh.status === 'RollbackInProgress') return left;
  const next = percentages[refresh.checkpoints] ?? 0;
  return Math.max(0, Math.ceil((refresh.total * next) / 100) - (refresh.total - left));
};

/** The capacity that must stay healthy. */
export const minUnits = ({ desired }: Group, { preferences: { MinHealthyPercentage: min = 90 } }: Refresh): number =>
  Math.ceil((desired * min) / 100);

/** Whether instances can be terminated only after their replacement is available. */
const isTight = (group: Group, refresh: Refresh): boolean => minUnits(group, refresh) > group.desired - 1;

/**
 * How far a refresh exceeds the desired capacity before old instances are terminated. Without a maximum, it does not:
 * then an instance is terminated even if fewer than the minimum remain. If the maximum leaves no room at all, one more
 * is launched. Source: the reference of RefreshPreferences, MaxHealthyPercentage.
 */
export const refreshSurge = (group: Group): number => {
  const refresh = activeRefresh(group);
  if (!refresh || (refresh.status !== 'InProgress' && refresh.status !== 'RollbackInProgress')) return 0;
  const { MaxHealthyPercentage: max } = refresh.preferences;
  if (max === undefined || refresh.pausedUntil !== undefined) return 0;
  const room = Math.floor((group.desired * max) / 100) - group.desired;
  const least = max > 100 || isTight(group, refresh) ? 1 : 0;
  return Math.min(Math.max(room, least), allowance(group, refresh), capacityOf(oldMembers(group, refresh)));
};

/**
 * Whether one old instance may be terminated although fewer than the minimum remain healthy, because there is no other
 * way.
 */
export const mayDipBelow = (group: Group, refresh: Refresh): boolean =>
  refresh.preferences.MaxHealthyPercentage === undefined && isTight(group, refresh);
