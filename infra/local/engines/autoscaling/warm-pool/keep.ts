import { launchOne } from '../launch.ts';
import { activeMembers, capacityOf, isGone, lifeOfMember, pooledMembers } from '../members.ts';
import type { Group } from '../records.ts';
import { sourceOf } from '../refresh/active.ts';
import { type AutoScaling, does } from '../state.ts';
import { because, beginTermination } from '../terminate.ts';
import { poolSize } from './size.ts';

const fill = (as: AutoScaling, group: Group): boolean => {
  // The group itself comes first.
  if (!does(group, 'Launch') || capacityOf(activeMembers(group)) < group.desired) return false;
  let hasGrown = false;
  while (pooledMembers(group).length < poolSize(group) && as.now() >= group.retryAt) {
    if (!launchOne(as, group, sourceOf(group), 'WarmPool')) return true;
    hasGrown = true;
  }
  return hasGrown;
};

const empty = (as: AutoScaling, group: Group): boolean => {
  const surplus = does(group, 'Terminate') ? pooledMembers(group).length - poolSize(group) : 0;
  const lost = pooledMembers(group).filter((member) => isGone(lifeOfMember(as, member)));
  const leaving = new Set([...lost, ...pooledMembers(group).slice(0, Math.max(0, surplus))]);
  for (const member of leaving) {
    const cause = lost.includes(member)
      ? because(as, 'an instance of the warm pool was found to be terminated.')
      : because(as, 'an instance was taken out of the warm pool because the pool is larger than needed.');
    beginTermination(as, group, member, { cause });
  }
  return leaving.size > 0;
};

/** Keeps the warm pool of a group at its size. Returns whether anything has changed. */
export const keepWarmPool = (as: AutoScaling, group: Group): boolean => {
  if (!group.warmPool || group.isDeleting) return false;
  const hasChanged = empty(as, group) || fill(as, group);
  const isEmpty = ![...group.members.values()].some(({ state }) => state.startsWith('Warmed:'));
  if (!group.warmPool.isDeleting || !isEmpty) return hasChanged;
  group.warmPool = undefined;
  return true;
};
