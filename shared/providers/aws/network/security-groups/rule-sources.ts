import type { AWSClusterSpec } from '../../../../kinds/aws-cluster/schema.ts';
import type { IngressRule } from '../../../../kinds/schema/aws-network.ts';
import type { NetworkProblem, ObservedNetwork } from '../model.ts';
import type { RuleSource } from './model.ts';

const sourcesOf = (list: string, rules: readonly IngressRule[] = []): RuleSource[] =>
  rules.flatMap(({ sourceSecurityGroupIds: ids = [], sourceSecurityGroupRoles: roles = [] }, index) => [
    ...ids.map((id, at) => ({ field: `${list}[${index}].sourceSecurityGroupIds[${at}]`, id })),
    ...roles.map((role, at) => ({ field: `${list}[${index}].sourceSecurityGroupRoles[${at}]`, role })),
  ]);

/** Every security group to which the spec's rules refer. */
export const ruleSources = ({
  network,
  controlPlaneLoadBalancer: primary,
  secondaryControlPlaneLoadBalancer: secondary,
}: AWSClusterSpec): RuleSource[] => [
  ...sourcesOf('spec.network.additionalControlPlaneIngressRules', network?.additionalControlPlaneIngressRules),
  ...sourcesOf('spec.network.additionalNodeIngressRules', network?.additionalNodeIngressRules),
  ...sourcesOf('spec.controlPlaneLoadBalancer.ingressRules', primary?.ingressRules),
  ...sourcesOf('spec.secondaryControlPlaneLoadBalancer.ingressRules', secondary?.ingressRules),
];

/**
 * The first source that is not a group. EC2 returns the same error for a missing group and for one that is not visible
 * yet, so the group is looked up before it is used in a rule.
 */
export const ruleSourceProblem = (
  sources: readonly RuleSource[],
  roles: readonly string[],
  observed: ObservedNetwork,
): NetworkProblem | undefined => {
  const known = new Set(observed.securityGroups.map(({ id }) => id));
  const bad = sources.find(({ id, role }) => (id === undefined ? !roles.includes(role ?? '') : !known.has(id)));
  if (!bad) return undefined;
  const { field, id, role } = bad;
  const why = role === 'bastion' ? 'there is no bastion (spec.bastion.enabled)' : 'this cluster has no such group';
  const message =
    id === undefined ? `${field} is ${role}: ${why}` : `${field} names security group ${id}, which does not exist`;
  return { condition: 'ClusterSecurityGroupsReady', message };
};
