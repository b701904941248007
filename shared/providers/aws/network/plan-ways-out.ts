import type { NetworkPlan } from './model.ts';
import { planNatGateways } from './nat-gateways/plan.ts';
import { planSecurityGroups } from './security-groups/plan.ts';
import { mergePlans, type Situation } from './situation.ts';
import { chooseVpc } from './vpc/choose.ts';

/**
 * NAT gateways with what follows from them: their addresses are sources in the rules of the API's load balancer, so the
 * rules follow the gateways.
 */
export const planWaysOut = (situation: Situation): NetworkPlan => {
  const choice = chooseVpc(situation.desired, situation.observed.vpcs);
  const hasVpc = choice.state === 'ours' || choice.state === 'unmanaged';
  const rules = hasVpc ? [planSecurityGroups(situation, choice.vpc.id)] : [];
  return mergePlans([planNatGateways(situation), ...rules]);
};
