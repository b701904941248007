import { type ClusterName, isOwnedBy } from '../../tags.ts';
import type { DesiredLoadBalancing, LoadBalancerAction, ObservedLoadBalancing } from './model.ts';
import type { LoadBalancerPlan } from './parts.ts';
import { planClassicGroup } from './plan-classic-group.ts';
import { planListeners } from './plan-listeners.ts';
import { isUsersOwn, planLoadBalancer } from './plan-load-balancer.ts';
import { planTargetGroup } from './plan-target-groups.ts';

/** What is to be done now for the load balancer, its target groups and its listeners. It need not be active to count. */
export const planLoadBalancing = (
  cluster: ClusterName,
  desired: DesiredLoadBalancing,
  observed: ObservedLoadBalancing,
): LoadBalancerPlan => {
  const { loadBalancer } = observed;
  const itself = planLoadBalancer(cluster, desired, loadBalancer);
  if (itself.problem || (loadBalancer && isUsersOwn(desired, loadBalancer))) return itself;
  const planGroup = desired.type === 'classic' ? planClassicGroup : planTargetGroup;
  const groups = desired.listeners.map(({ targetGroup }) => planGroup(cluster, desired, targetGroup, observed));
  const problem = groups.find((part) => part.problem)?.problem;
  if (problem) return { actions: [], waiting: [], problem };
  const actions = [itself, ...groups].flatMap((part) => part.actions);
  return { actions: [...actions, ...planListeners(cluster, desired, observed)], waiting: itself.waiting };
};

/** What can be deleted now: target groups go after the load balancer whose listeners use them. Empty: nothing is left. */
export const planLoadBalancingDeletion = (
  cluster: ClusterName,
  { loadBalancer, targetGroups }: ObservedLoadBalancing,
): LoadBalancerAction[] => {
  if (loadBalancer && isOwnedBy(cluster, loadBalancer.tags)) {
    return [{ type: 'DeleteLoadBalancer', arn: loadBalancer.arn, name: loadBalancer.name }];
  }
  return targetGroups
    .filter(({ tags }) => isOwnedBy(cluster, tags))
    .map(({ arn, name }) => ({ type: 'DeleteTargetGroup', arn, name }));
};
