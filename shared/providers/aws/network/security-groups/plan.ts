import { isOwnedBy, missingTags } from '../../tags.ts';
import type { NetworkAction, NetworkPlan } from '../model.ts';
import { mergePlans, type Situation } from '../situation.ts';
import type { DesiredSecurityGroup, IngressPermission, ObservedSecurityGroup } from './model.ts';
import { permissionsBeyond } from './permissions.ts';
import { NLB_DESCRIPTION } from './rules.ts';

type GroupIds = Readonly<Record<string, string>>;

/**
 * The group of each role that exists: the user's own, or else the one with the role's name, which is unique in a VPC.
 */
export const securityGroupsByRole = (
  { desired, observed }: Pick<Situation, 'desired' | 'observed'>,
  vpcId: string,
): Readonly<Partial<Record<DesiredSecurityGroup['role'], ObservedSecurityGroup>>> =>
  Object.fromEntries(
    desired.securityGroups.flatMap(({ role, name, overrideId }) => {
      const found = observed.securityGroups.find((group) =>
        overrideId === undefined ? group.vpcId === vpcId && group.name === name : group.id === overrideId,
      );
      return found ? [[role, found]] : [];
    }),
  );

const problem = (message: string): NetworkPlan => ({
  actions: [],
  waiting: [],
  problem: { condition: 'ClusterSecurityGroupsReady', message },
});

/** The rules with ids instead of roles; undefined while a role has no group. */
const resolve = (group: DesiredSecurityGroup, ids: GroupIds): IngressPermission[] | undefined => {
  const resolved = group.ingress.map(({ source, ...rule }) => ({
    ...rule,
    source: typeof source === 'string' ? source : ids[source.role],
  }));
  return resolved.every((rule): rule is IngressPermission => rule.source !== undefined) ? resolved : undefined;
};

const isOurRule = ({ description = '' }: IngressPermission): boolean => description.startsWith(NLB_DESCRIPTION);

/** A role among the rules' sources that never gets a group. */
const strayRole = ({ ingress }: DesiredSecurityGroup, desired: readonly DesiredSecurityGroup[]): string | undefined => {
  const known = new Set(desired.map(({ role }) => role));
  return ingress
    .flatMap(({ source }) => (typeof source === 'string' ? [] : source.role))
    .find((role) => !known.has(role));
};

const planRules = (group: DesiredSecurityGroup, found: ObservedSecurityGroup, ids: GroupIds): NetworkAction[] => {
  const wanted = resolve(group, ids);
  // The missing group is created by the same plan, unless a policy says that it is only reported.
  if (!wanted) return [];
  // Rules of the cluster's own controllers are left alone. Ours are recognized by their descriptions.
  const judged = group.isAuthoritative ? found.ingress : found.ingress.filter(isOurRule);
  const surplus = permissionsBeyond(judged, wanted);
  const lacking = permissionsBeyond(wanted, found.ingress);
  const groupId = found.id;
  return [
    ...(surplus.length > 0 ? [{ type: 'RevokeIngress' as const, groupId, permissions: surplus }] : []),
    ...(lacking.length > 0
      ? [{ type: 'AuthorizeIngress' as const, groupId, permissions: lacking, tags: group.tags }]
      : []),
  ];
};

/**
 * The groups of the roles with exactly their rules. In the workers' load balancer group, the rules of the cluster's own
 * controllers are kept.
 */
export const planSecurityGroups = (situation: Situation, vpcId: string): NetworkPlan => {
  const { desired } = situation;
  const found = securityGroupsByRole(situation, vpcId);
  const ids = Object.fromEntries(Object.entries(found).map(([role, group]) => [role, group.id]));
  return mergePlans(
    desired.securityGroups.map((group): NetworkPlan => {
      const existing = found[group.role];
      if (group.overrideId !== undefined) return { actions: [], waiting: existing ? [] : [group.overrideId] };
      const { name, description, tags } = group;
      if (!existing) {
        return { actions: [{ type: 'CreateSecurityGroup', vpcId, name, description, tags }], waiting: [] };
      }
      if (!isOwnedBy(desired.cluster, existing.tags)) {
        return problem(`security group ${existing.id} has the name ${name} but does not belong to the cluster`);
      }
      const stray = strayRole(group, desired.securityGroups);
      if (stray) return problem(`a rule of ${name} is for the role ${stray}, which has no security group`);
      const missing = missingTags(tags, existing.tags);
      const tagging: NetworkAction[] =
        Object.keys(missing).length > 0
          ? [{ type: 'CreateTags', kind: 'securityGroup', resourceId: existing.id, tags: missing }]
          : [];
      return { actions: [...tagging, ...planRules(group, existing, ids)], waiting: [] };
    }),
  );
};
