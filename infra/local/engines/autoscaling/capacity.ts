/** Keeps a group at its desired capacity. */
import { chooseVictim } from './choose.ts';
import { launchOne } from './launch.ts';
import { activeMembers, capacityOf } from './members.ts';
import type { Group, Member } from './records.ts';
import { sourceOf } from './refresh/active.ts';
import { type AutoScaling, does } from './state.ts';
import { surgeOf } from './surge.ts';
import { because, beginTermination } from './terminate.ts';
import { hasRoomInPool } from './warm-pool/size.ts';
import { takeFromPool } from './warm-pool/take.ts';

const grow = (as: AutoScaling, group: Group, target: number): boolean => {
  let hasGrown = false;
  while (capacityOf(activeMembers(group)) < target && as.now() >= group.retryAt) {
    if (takeFromPool(as, group)) hasGrown = true;
    else if (!launchOne(as, group, sourceOf(group), 'AutoScalingGroup')) return true;
    hasGrown = true;
  }
  return hasGrown;
};

const shrinkCause = (as: AutoScaling, group: Group, { id }: Member, have: number): string =>
  `${group.cause}${because(as, `an instance was taken out of service in response to a difference between desired and actual capacity, shrinking the capacity from ${have} to ${group.desired}.`)}  ${because(as, `instance ${id} was selected for termination.`)}`;

const shrink = (as: AutoScaling, group: Group, target: number): boolean => {
  let hasShrunk = false;
  for (;;) {
    const active = activeMembers(group);
    const have = capacityOf(active);
    const victim = have > target ? chooseVictim(as, group, active) : undefined;
    // An instance whose weight exceeds the surplus stays.
    if (!victim || have - victim.weight < target) return hasShrunk;
    const to = hasRoomInPool(group) ? 'WarmPool' : 'EC2';
    beginTermination(as, group, victim, { cause: shrinkCause(as, group, victim, have), to });
    hasShrunk = true;
  }
};

/** Launches missing instances and terminates surplus ones. Returns whether anything has changed. */
export const keepCapacity = (as: AutoScaling, group: Group): boolean => {
  if (group.isDeleting) return false;
  const target = group.desired + surgeOf(as, group);
  const have = capacityOf(activeMembers(group));
  if (have < target) return does(group, 'Launch') && grow(as, group, target);
  if (have > target) return does(group, 'Terminate') && shrink(as, group, target);
  group.cause = '';
  return false;
};
