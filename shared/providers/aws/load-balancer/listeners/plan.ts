import { PRIMARY, SECONDARY } from '../../../../kinds/rules/aws/load-balancer.ts';
import type { ClusterName } from '../../tags.ts';
import type { DesiredLoadBalancing } from '../desired-balancing.ts';
import type { LoadBalancerAction, ObservedLoadBalancing } from '../model.ts';
import { type LoadBalancerPlan, NOTHING } from '../parts.ts';
import { chooseTargetGroup, staleTargetGroups } from '../target-groups/plan.ts';

/**
 * Each port forwards to its group: a missing listener is created, and one with another target group is changed back.
 */
const planPorts = (
  cluster: ClusterName,
  desired: DesiredLoadBalancing,
  observed: ObservedLoadBalancing,
): LoadBalancerAction[] =>
  desired.listeners.flatMap(({ port, targetGroup }): LoadBalancerAction[] => {
    const { group } = chooseTargetGroup(cluster, targetGroup, observed);
    const listener = observed.listeners.find((one) => one.port === port);
    if (!group || !observed.loadBalancer || listener?.targetGroupArn === group.arn) return [];
    if (listener) return [{ type: 'SetListener', arn: listener.arn, port, targetGroupArn: group.arn }];
    const { arn: loadBalancerArn } = observed.loadBalancer;
    return [{ type: 'CreateListener', loadBalancerArn, port, targetGroupArn: group.arn, tags: desired.tags }];
  });

/**
 * The resources of a listener that was removed from the spec are deleted: first the listener, then its target group.
 */
const planRemovals = (
  cluster: ClusterName,
  desired: DesiredLoadBalancing,
  observed: ObservedLoadBalancing,
): LoadBalancerAction[] =>
  staleTargetGroups(cluster, desired, observed).flatMap(({ arn, name }): LoadBalancerAction[] => {
    const users = observed.listeners.filter(({ targetGroupArn }) => targetGroupArn === arn);
    if (users.length === 0) return [{ type: 'DeleteTargetGroup', arn, name }];
    return users
      .filter(({ port }) => !desired.listeners.some((one) => one.port === port))
      .map((listener) => ({ type: 'DeleteListener', arn: listener.arn, port: listener.port }));
  });

/** A port has one listener, which forwards to one group. Two groups would take the port from each other forever. */
const sharedPort = ({ role, listeners: [api, ...additional] }: DesiredLoadBalancing): string | undefined => {
  const field = `${role === 'primary' ? PRIMARY : SECONDARY}.additionalListeners`;
  if (additional.some(({ port }) => port === api?.port)) {
    return `${field} has port ${api?.port}, which is the API's own (spec.clusterNetwork.apiServerPort of the Cluster, by default 6443): remove it from the list`;
  }
  const double = additional.find(({ port }, index) => additional.findIndex((one) => one.port === port) < index);
  return double && `${field} has port ${double.port} more than once`;
};

/** Listeners added by others, with a separate target group, are left alone. */
export const planListeners = (
  cluster: ClusterName,
  desired: DesiredLoadBalancing,
  observed: ObservedLoadBalancing,
): LoadBalancerPlan => {
  const message = sharedPort(desired);
  if (message !== undefined) return { ...NOTHING, problem: { message } };
  return {
    ...NOTHING,
    actions: [...planPorts(cluster, desired, observed), ...planRemovals(cluster, desired, observed)],
  };
};
