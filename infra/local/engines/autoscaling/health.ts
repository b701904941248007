/** Which instances of a group are unhealthy, and how they are replaced. */

import { lifeOfMember } from './members.ts';
import type { Group, Member, Unhealthy } from './records.ts';
import { type AutoScaling, does, scaled } from './state.ts';
import { because, beginTermination } from './terminate.ts';
import { isUnhealthy } from './traffic.ts';

const IDLE: readonly string[] = ['stopping', 'stopped', 'shutting-down', 'terminated'];

const CAUSES: Readonly<Record<Unhealthy, string>> = {
  EC2: 'in response to an EC2 health check indicating it has been terminated or stopped.',
  ELB: 'in response to an ELB system health check failure.',
  user: 'in response to a user health-check.',
};

/** Until this time, only EC2's own checks count. */
export const graceEnds = (as: AutoScaling, group: Group, member: Member): number =>
  (member.inServiceAt ?? as.now()) + scaled(as, group.gracePeriodSeconds);

const findingOf = (as: AutoScaling, group: Group, member: Member): Unhealthy | undefined => {
  if (IDLE.includes(lifeOfMember(as, member))) return 'EC2';
  if (!group.healthCheckType.includes('ELB') || as.now() < graceEnds(as, group, member)) return undefined;
  return isUnhealthy(as, group, member.id) ? 'ELB' : undefined;
};

const expired = (as: AutoScaling, group: Group): Member | undefined => {
  const { maxLifetimeSeconds: most = 0 } = group;
  const inService = [...group.members.values()];
  // One after the other, so that the group never loses several at once.
  if (most === 0 || inService.some(({ state }) => state !== 'InService')) return undefined;
  return inService.find(({ launchedAt }) => as.now() - launchedAt >= most * 1000);
};

/**
 * Checks the instances in service, and removes unhealthy ones and one that is too old. Returns whether there were any.
 */
export const checkHealth = (as: AutoScaling, group: Group): boolean => {
  const inService = [...group.members.values()].filter(({ state }) => state === 'InService');
  if (does(group, 'HealthCheck')) for (const member of inService) member.unhealthy ??= findingOf(as, group, member);
  if (group.isDeleting || !does(group, 'ReplaceUnhealthy') || !does(group, 'Terminate')) return false;
  const ill = inService.filter(({ unhealthy }) => unhealthy !== undefined);
  for (const member of ill) {
    const cause = because(as, `an instance was taken out of service ${CAUSES[member.unhealthy ?? 'EC2']}`);
    beginTermination(as, group, member, { cause });
    group.replacements += 1;
  }
  const old = expired(as, group);
  if (old)
    beginTermination(as, group, old, {
      cause: because(as, 'an instance was taken out of service in response to maximum instance lifetime.'),
    });
  return ill.length > 0 || old !== undefined;
};
