/** Replaces spot instances that EC2 is about to reclaim, if a group requests it (`CapacityRebalance`). */
import { activeMembers, capacityOf } from './members.ts';
import type { Group, Member } from './records.ts';
import { type AutoScaling, does } from './state.ts';
import { because, beginTermination } from './terminate.ts';

/** The instances in service for which EC2 has recommended a replacement. */
export const atRisk = ({ neighbours: { ec2 } }: AutoScaling, group: Group): Member[] =>
  group.rebalancesCapacity
    ? [...group.members.values()].filter(
        ({ id, state }) => state === 'InService' && ec2.instances.find(id)?.rebalanceAt !== undefined,
      )
    : [];

/** Terminates the instances at risk when their replacements are in service. Returns whether it did. */
export const rebalance = (as: AutoScaling, group: Group): boolean => {
  const risky = atRisk(as, group);
  if (risky.length === 0 || group.isDeleting || !does(group, 'Terminate')) return false;
  const others = activeMembers(group).filter((member) => member.state === 'InService' && !risky.includes(member));
  if (capacityOf(others) < group.desired) return false;
  const cause = because(
    as,
    'an instance was taken out of service in response to an EC2 instance rebalance recommendation.',
  );
  for (const member of risky) beginTermination(as, group, member, { cause });
  return true;
};
