import type { Machine } from '../../kinds/index.ts';
import type { HealthConditions } from './distribution-rules.ts';
import { isDeleting } from './preflight.ts';
import { workingMachines } from './target-health.ts';

const deletedAt = ({ metadata }: Machine): number => Date.parse(metadata.deletionTimestamp ?? '') || Infinity;

/** By name if both were deleted in the same second. */
const isDeletedBefore = (a: Machine, b: Machine): boolean =>
  isDeleting(a) && (deletedAt(a) - deletedAt(b) || (a.metadata.name < b.metadata.name ? -1 : 1)) < 0;

/**
 * The machines that serve the cluster without the leaving one: those with working components. A working machine does
 * not rely on one that was deleted before it, because that one may rely on it and leave at the same moment. So if
 * several machines are deleted, one that works stays until a machine that is kept works. Otherwise they leave in any
 * order, because a hook may delay one of them.
 */
export const serversWithout = (
  leaving: Machine,
  others: readonly Machine[],
  health: HealthConditions,
): readonly Machine[] => {
  const servers = workingMachines(others, health);
  const isNeeded = workingMachines([leaving], health).length > 0;
  return isNeeded ? servers.filter((other) => !isDeletedBefore(other, leaving)) : servers;
};
