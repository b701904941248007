import type { NetworkPlan } from '../model.ts';
import type { Situation } from '../situation.ts';

/**
 * The security group that AWS creates with a VPC, with all rules removed if the spec requires that: it contains nothing
 * of ours, and instances placed in it by mistake cannot be reached.
 */
export const planDefaultGroup = ({ desired, observed }: Situation, vpcId: string): NetworkPlan => {
  const group = observed.securityGroups.find((one) => one.vpcId === vpcId && one.name === 'default');
  const isEmpty = !group || (group.ingress.length === 0 && !group.hasEgress);
  if (!desired.emptiesDefaultGroup || isEmpty) return { actions: [], waiting: [] };
  return { actions: [{ type: 'EmptyDefaultSecurityGroup', groupId: group.id }], waiting: [] };
};
