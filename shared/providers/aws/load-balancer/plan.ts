import type { ClusterName } from '../tags.ts';
import { balancer } from './balancer/driver.ts';
import { isUsersOwn } from './balancer/plan.ts';
import type { DesiredLoadBalancing } from './desired-balancing.ts';
import type { AnyDriver } from './driver.ts';
import { DRIVERS } from './drivers.ts';
import type { LoadBalancerAction, ObservedLoadBalancing } from './model.ts';
import { type LoadBalancerPlan, NOTHING } from './parts.ts';

/**
 * What must be done now for the load balancer, its target groups and its listeners. The load balancer need not be
 * active.
 */
export const planLoadBalancing = (
  cluster: ClusterName,
  desired: DesiredLoadBalancing,
  observed: ObservedLoadBalancing,
): LoadBalancerPlan => {
  const { loadBalancer } = observed;
  // The parts of a user's own load balancer belong to the user.
  const drivers = loadBalancer && isUsersOwn(desired, loadBalancer) ? [balancer] : DRIVERS;
  const parts: LoadBalancerPlan[] = [];
  for (const { plan } of drivers as readonly AnyDriver[]) {
    const part = plan?.(cluster, desired, observed) ?? NOTHING;
    if (part.problem) return { ...NOTHING, problem: part.problem };
    parts.push(part);
  }
  return { actions: parts.flatMap(({ actions }) => actions), waiting: parts.flatMap(({ waiting }) => waiting) };
};

/**
 * What can be deleted now. Target groups are deleted after the load balancer whose listeners use them. Empty if nothing
 * is left.
 */
export const planLoadBalancingDeletion = (
  cluster: ClusterName,
  observed: ObservedLoadBalancing,
): LoadBalancerAction[] => {
  for (const { takeDown } of DRIVERS) {
    const actions = takeDown?.(cluster, observed) ?? [];
    if (actions.length > 0) return actions;
  }
  return [];
};
