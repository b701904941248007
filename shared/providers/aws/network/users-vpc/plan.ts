import type { NetworkPlan } from '../model.ts';
import { planSecurityGroups } from '../security-groups/plan.ts';
import type { Situation } from '../situation.ts';
import type { ObservedVpc } from '../vpc/model.ts';
import { discoverSubnets } from './discover.ts';
import { unmanagedProblem } from './problems.ts';

/**
 * A user's VPC: nothing in it is changed. Only the cluster's security groups are created, once everything in the spec
 * has been confirmed.
 */
export const planUnmanaged = (situation: Situation, vpc: ObservedVpc): NetworkPlan => {
  const { desired, observed } = situation;
  const discovered = discoverSubnets(desired, observed, vpc.id);
  const message = unmanagedProblem(desired, observed, vpc, discovered);
  if (message !== undefined) return { actions: [], waiting: [], problem: { condition: 'SubnetsReady', message } };
  return planSecurityGroups(situation, vpc.id);
};
