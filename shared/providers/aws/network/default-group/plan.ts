import type { NetworkPlan } from '../model.ts';
import type { Situation } from '../situation.ts';

/**
 * The security group that AWS makes with a VPC, emptied of all rules where the spec wants that: nothing of ours is in it,
 * and what is put into it by mistake reaches nobody.
 */
export const planDefaultGroup = ({ desired, observed }: Situation, vpcId: string): NetworkPlan => {
  const group = observed.securityGroups.find((one) => one.vpcId === vpcId && one.name === 'default');
  const isEmpty = !group || (group.ingress.length === 0 && !group.hasEgress);
  if (!desired.emptiesDefaultGroup || isEmpty) return { actions: [], waiting: [] };
  return { actions: [{ type: 'EmptyDefaultSecurityGroup', groupId: group.id }], waiting: [] };
};
