import type { Group, Refresh, Source } from '../records.ts';

const ACTIVE: readonly string[] = ['Pending', 'InProgress', 'Baking', 'Cancelling', 'RollbackInProgress'];

/** The instance refresh that has not ended, if there is one. */
export const activeRefresh = ({ refreshes }: Group): Refresh | undefined =>
  refreshes.findLast(({ status }) => ACTIVE.includes(status));

/** The current source of the group's launches: during a refresh, its desired configuration if it has one. */
export const sourceOf = (group: Group): Source => {
  const refresh = activeRefresh(group);
  return (refresh?.status === 'RollbackInProgress' ? refresh.before : refresh?.desired) ?? group.source;
};
