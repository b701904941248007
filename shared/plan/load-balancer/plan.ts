import { type ClusterName, isOwnedBy } from '../../aws/tags.ts';
import type {
  DesiredLoadBalancing,
  DesiredTargetGroup,
  LoadBalancerAction,
  ObservedLoadBalancing,
  ObservedTargetGroup,
} from './model.ts';

export interface LoadBalancerPlan {
  actions: readonly LoadBalancerAction[];
  waiting: readonly string[];
  problem?: { message: string };
}

type Attributes = Readonly<Record<string, string>>;

const differing = (desired: Attributes, observed: Attributes): Attributes =>
  Object.fromEntries(Object.entries(desired).filter(([key, value]) => observed[key] !== value));

const isEmpty = (attributes: Attributes): boolean => Object.keys(attributes).length === 0;

/** The group that serves a listener, or the first name that nobody else has taken. */
export const chooseTargetGroup = (
  cluster: ClusterName,
  { names }: Pick<DesiredTargetGroup, 'names'>,
  observed: readonly ObservedTargetGroup[],
): { group?: ObservedTargetGroup; name?: string } => {
  const byName = new Map(observed.map((group) => [group.name, group]));
  const ours = names.flatMap((name) => byName.get(name) ?? []).find(({ tags }) => isOwnedBy(cluster, tags));
  return ours ? { group: ours, name: ours.name } : { name: names.find((name) => !byName.has(name)) };
};

const planTargetGroup = (
  cluster: ClusterName,
  desired: DesiredLoadBalancing,
  targetGroup: DesiredTargetGroup,
  observed: ObservedLoadBalancing,
): LoadBalancerPlan => {
  const { group, name } = chooseTargetGroup(cluster, targetGroup, observed.targetGroups);
  if (group) {
    const attributes = differing(targetGroup.attributes, group.attributes);
    const { arn } = group;
    if (isEmpty(attributes)) return { actions: [], waiting: [] };
    return { actions: [{ type: 'SetTargetGroupAttributes', arn, name: group.name, attributes }], waiting: [] };
  }
  if (name === undefined) {
    const message = `target groups of other owners have all the names ${targetGroup.names.join(', ')}`;
    return { actions: [], waiting: [], problem: { message } };
  }
  const { vpcId, tags } = desired;
  return { actions: [{ type: 'CreateTargetGroup', name, vpcId, group: targetGroup, tags }], waiting: [] };
};

const planLoadBalancer = (
  cluster: ClusterName,
  desired: DesiredLoadBalancing,
  { loadBalancer }: ObservedLoadBalancing,
): LoadBalancerPlan => {
  if (!loadBalancer) {
    // Nodes and kubeconfigs hold the old name: another load balancer would not help them (upstream's rule).
    if (desired.recordedHost) {
      const message = `load balancer ${desired.name} of the endpoint ${desired.recordedHost} does not exist any more; it is not made again, because its name would be another one`;
      return { actions: [], waiting: [], problem: { message } };
    }
    return { actions: [{ type: 'CreateLoadBalancer', desired }], waiting: [] };
  }
  if (!isOwnedBy(cluster, loadBalancer.tags)) {
    const message = `a load balancer with the name ${desired.name} exists and does not belong to the cluster`;
    return { actions: [], waiting: [], problem: { message } };
  }
  const { arn, dnsName } = loadBalancer;
  const attributes = differing(desired.attributes, loadBalancer.attributes);
  return {
    actions: isEmpty(attributes) ? [] : [{ type: 'SetLoadBalancerAttributes', arn, attributes }],
    waiting: dnsName ? [] : [`the DNS name of load balancer ${desired.name}`],
  };
};

const planListeners = (
  cluster: ClusterName,
  desired: DesiredLoadBalancing,
  observed: ObservedLoadBalancing,
): LoadBalancerAction[] => {
  const { loadBalancer, listeners, targetGroups } = observed;
  if (!loadBalancer || !isOwnedBy(cluster, loadBalancer.tags)) return [];
  return desired.listeners.flatMap(({ port, targetGroup }): LoadBalancerAction[] => {
    const { group } = chooseTargetGroup(cluster, targetGroup, targetGroups);
    if (!group || listeners.some((listener) => listener.port === port)) return [];
    const { arn: loadBalancerArn } = loadBalancer;
    return [{ type: 'CreateListener', loadBalancerArn, port, targetGroupArn: group.arn, tags: desired.tags }];
  });
};

/** What is to be done now for the load balancer, its target groups and its listeners. It need not be active to count. */
export const planLoadBalancing = (
  cluster: ClusterName,
  desired: DesiredLoadBalancing,
  observed: ObservedLoadBalancing,
): LoadBalancerPlan => {
  const parts = [
    planLoadBalancer(cluster, desired, observed),
    ...desired.listeners.map(({ targetGroup }) => planTargetGroup(cluster, desired, targetGroup, observed)),
  ];
  const problem = parts.find((part) => part.problem)?.problem;
  return {
    actions: problem ? [] : [...parts.flatMap(({ actions }) => actions), ...planListeners(cluster, desired, observed)],
    waiting: parts.flatMap(({ waiting }) => waiting),
    ...(problem ? { problem } : {}),
  };
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
