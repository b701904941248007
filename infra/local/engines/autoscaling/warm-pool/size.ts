import { pooledMembers } from '../members.ts';
import type { Group } from '../records.ts';

/**
 * The desired size of a group's warm pool: the difference between the desired and the maximum capacity, or the prepared
 * capacity of the pool instead, and at least its minimum. Source: the guide, "Warm pools".
 */
export const poolSize = ({ warmPool, max, desired }: Group): number => {
  if (!warmPool || warmPool.isDeleting) return 0;
  return Math.max((warmPool.maxPrepared ?? max) - desired, warmPool.minSize, 0);
};

/** Whether an instance that leaves the group returns to the pool. */
export const hasRoomInPool = (group: Group): boolean =>
  group.warmPool?.reuseOnScaleIn === true && !group.isDeleting && pooledMembers(group).length < poolSize(group);
