import type { NetworkPlan } from '../model.ts';
import type { Situation } from '../situation.ts';

/**
 * The default security group of a VPC. All its rules are removed if the spec requires that: nothing of ours is in it,
 * and an instance that was placed in it by mistake cannot be reached then.
 */
export const planDefaultGroup = ({ desired, observed }: Situation, vpcId: string): NetworkPlan => {
  const group = observed.securityGroups.find((one) => one.vpcId === vpcId && one.name === 'default');
  const isEmpty = !group || (group.ingress.length === 0 && !group.hasEgress);
  if (!desired.emptiesDefaultGroup || isEmpty) return { actions: [], waiting: [] };
  return { actions: [{ type: 'EmptyDefaultSecurityGroup', groupId: group.id }], waiting: [] };
};
