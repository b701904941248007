import type { NetworkPlan } from '../model.ts';
import { planSecurityGroups } from '../security-groups/plan.ts';
import type { Situation } from '../situation.ts';
import type { ObservedVpc } from '../vpc/model.ts';
import { discoverSubnets } from './discover.ts';
import { unmanagedProblem } from './problems.ts';

/**
 * A VPC that the user brought: nothing in it is changed. What is made are the cluster's security groups, once all that
 * the spec says of it has turned out to be true.
 */
export const planUnmanaged = (situation: Situation, vpc: ObservedVpc): NetworkPlan => {
  const { desired, observed } = situation;
  const discovered = discoverSubnets(desired, observed, vpc.id);
  const message = unmanagedProblem(desired, observed, vpc, discovered);
  if (message !== undefined) return { actions: [], waiting: [], problem: { condition: 'SubnetsReady', message } };
  return planSecurityGroups(situation, vpc.id);
};
