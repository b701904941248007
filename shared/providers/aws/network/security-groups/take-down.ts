import { isOwnedBy } from '../../tags.ts';
import type { Belonging, TakeDownPlan, TakeDownSituation } from '../driver.ts';
import type { NetworkAction } from '../model.ts';
import { join } from '../parts.ts';
import type { ObservedSecurityGroup, SeenSecurityGroups } from './model.ts';

const takeDownGroup = (group: ObservedSecurityGroup, { cluster, observed, all }: TakeDownSituation): TakeDownPlan => {
  if (!isOwnedBy(cluster, group.tags)) {
    return {
      actions: [],
      blockers: [`security group ${group.id} (${group.name}), which does not belong to the cluster`],
    };
  }
  // Groups that refer to each other cannot be deleted in any order, so the rules are deleted first.
  const permissions = group.ingress.filter(({ source }) => source.startsWith('sg-'));
  const { egressGroupIds } = group;
  const rules: NetworkAction[] = [
    ...(permissions.length > 0 ? [{ type: 'RevokeIngress' as const, groupId: group.id, permissions }] : []),
    ...(egressGroupIds.length > 0
      ? [{ type: 'RevokeEgressToGroups' as const, groupId: group.id, groupIds: egressGroupIds }]
      : []),
  ];
  if (rules.length > 0) return { actions: rules, blockers: [] };
  const naming = all.securityGroups.filter(
    (other) => other.ingress.some(({ source }) => source === group.id) || other.egressGroupIds.includes(group.id),
  );
  const isUsed = observed.networkInterfaces.some(({ groupIds }) => groupIds.includes(group.id));
  return {
    actions: naming.length > 0 || isUsed ? [] : [{ type: 'DeleteSecurityGroup', groupId: group.id }],
    blockers: naming
      .filter(({ tags }) => !isOwnedBy(cluster, tags))
      .map((other) => `security group ${other.id} (${other.name}), a rule of which names ${group.id}`),
  };
};

/** Groups other than the default one, which is deleted with its VPC. */
export const madeGroups = ({ securityGroups }: SeenSecurityGroups): ObservedSecurityGroup[] =>
  securityGroups.filter(({ name }) => name !== 'default');

/** A group is deleted when nothing uses it and no rule refers to it. */
export const takeDownSecurityGroups = (situation: TakeDownSituation): TakeDownPlan =>
  join(madeGroups(situation.observed).map((group) => takeDownGroup(group, situation)));

/** The groups in the cluster's VPCs, and those elsewhere with its tag. */
export const ownGroups = (
  { securityGroups }: SeenSecurityGroups,
  { isInside, isOurs }: Belonging,
): ObservedSecurityGroup[] => securityGroups.filter((group) => isInside(group) || isOurs(group));
