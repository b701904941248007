/** Brings groups up to date: before and after every call, and between calls at each pulse. */
import { keepCapacity } from './capacity.ts';
import { checkHealth } from './health.ts';
import { stepMembers } from './lifecycle.ts';
import { rebalance } from './rebalance.ts';
import type { Group } from './records.ts';
import { stepRefresh } from './refresh/step.ts';
import type { AutoScaling } from './state.ts';
import { keepWarmPool } from './warm-pool/keep.ts';

/** The steps of a group in one round, in this order; each returns whether it has changed anything. */
const ROUND: readonly ((as: AutoScaling, group: Group) => boolean)[] = [
  checkHealth,
  stepMembers,
  rebalance,
  stepRefresh,
  keepCapacity,
  keepWarmPool,
];

/** More rounds than any group needs at once: exceeding it means an error in this code. */
const MAX_ROUNDS = 100;

const settleGroup = (as: AutoScaling, group: Group): boolean => {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const changes = ROUND.map((step) => step(as, group));
    if (!changes.includes(true)) return round > 0;
  }
  throw new Error(`the Auto Scaling group ${group.name} does not come to rest`);
};

/** Deleted groups disappear with their last instance; their activities can still be described. */
const buryGroup = (as: AutoScaling, group: Group): boolean => {
  if (!group.isDeleting || group.members.size > 0) return false;
  as.groups.delete(group.name);
  as.buried.set(group.arn, { name: group.name, activities: group.activities });
  return true;
};

/** Sets the pulse for the next check, unless it is already set for an earlier one. */
const setPulse = (as: AutoScaling): void => {
  const { pulse, settings } = as;
  if (as.groups.size === 0) return;
  const at = as.now() + settings.autoScalingPollMilliseconds;
  if (pulse.at !== undefined && pulse.at <= at && pulse.at > as.now()) return;
  pulse.at = at;
  as.bus.wake(at, () => {
    if (pulse.at !== at) return;
    pulse.at = undefined;
    settle(as);
  });
};

/** Does what is due in all groups. */
export const settle = (as: AutoScaling): void => {
  const changes = [...as.groups.values()].map((group) => {
    const hasChanged = settleGroup(as, group);
    return buryGroup(as, group) || hasChanged;
  });
  setPulse(as);
  if (changes.includes(true)) for (const listener of as.pulse.listeners) listener();
};
