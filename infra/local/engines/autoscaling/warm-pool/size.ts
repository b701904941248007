import { pooledMembers } from '../members.ts';
import type { Group } from '../records.ts';

/**
 * How many instances the warm pool of a group is to have: what is missing from the desired to the maximum capacity, or
 * to the prepared capacity that the pool gives instead, and no less than its minimum. Source: the guide, "Warm pools".
 */
export const poolSize = ({ warmPool, max, desired }: Group): number => {
  if (!warmPool || warmPool.isDeleting) return 0;
  return Math.max((warmPool.maxPrepared ?? max) - desired, warmPool.minSize, 0);
};

/** Whether an instance that leaves the group goes back to the pool. */
export const hasRoomInPool = (group: Group): boolean =>
  group.warmPool?.reuseOnScaleIn === true && !group.isDeleting && pooledMembers(group).length < poolSize(group);
