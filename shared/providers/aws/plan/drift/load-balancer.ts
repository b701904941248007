import type { AWSCluster, Cluster } from '../../../../kinds/index.ts';
import { type DriftKind, driftPoliciesOf } from '../../../../kinds/rules/drift-policy.ts';
import type { DriftFacts } from '../../../../plan/drift/withhold.ts';
import type { DesiredLoadBalancing, LoadBalancerAction, ObservedLoadBalancing } from '../load-balancer/model.ts';
import { digestOf, settledBy, type Wishes } from './settled.ts';

/** What kind of drift each action mends, when it is planned for a load balancer that was complete. */
const KINDS: Readonly<Record<LoadBalancerAction['type'], DriftKind>> = {
  CreateLoadBalancer: 'LoadBalancer',
  SetLoadBalancerAttributes: 'LoadBalancer',
  SetIpAddressType: 'LoadBalancer',
  SetSubnets: 'LoadBalancer',
  SetSecurityGroups: 'LoadBalancer',
  AddTags: 'LoadBalancer',
  RemoveTags: 'LoadBalancer',
  CreateTargetGroup: 'TargetGroup',
  SetTargetGroupAttributes: 'TargetGroup',
  SetHealthCheck: 'TargetGroup',
  CreateListener: 'Listener',
  SetListener: 'Listener',
  DeleteListener: 'Listener',
  DeleteLoadBalancer: 'LoadBalancer',
  DeleteTargetGroup: 'TargetGroup',
};

const driftKindOfLoadBalancer = ({ type }: LoadBalancerAction): DriftKind => KINDS[type];

const keys = (values: Readonly<Record<string, string>>): string => Object.keys(values).join(', ');

/** What somebody has changed, by the action that would mend it, as a sentence without its end. */
const describeLoadBalancerDrift = (action: LoadBalancerAction): string => {
  switch (action.type) {
    case 'CreateLoadBalancer':
      return `there is no load balancer ${action.desired.name} any more`;
    case 'CreateTargetGroup':
      return `there is no target group ${action.name} any more`;
    case 'CreateListener':
      return `there is no listener on port ${action.port} any more`;
    case 'SetListener':
      return `the listener on port ${action.port} leads elsewhere`;
    case 'DeleteListener':
      return `a listener on port ${action.port} was not asked for`;
    case 'SetLoadBalancerAttributes':
      return `attributes of the load balancer were changed: ${keys(action.attributes)}`;
    case 'SetTargetGroupAttributes':
      return `attributes of target group ${action.name} were changed: ${keys(action.attributes)}`;
    case 'SetHealthCheck':
      return `the health check of target group ${action.name} was changed`;
    case 'SetIpAddressType':
      return `the load balancer has not the address type ${action.ipAddressType}`;
    case 'SetSubnets':
      return `the load balancer is not in the subnets ${action.subnetIds.join(', ')}`;
    case 'SetSecurityGroups':
      return `the load balancer has not the security groups ${action.groupIds.join(', ')}`;
    case 'AddTags':
      return `${action.arns.join(', ')} lacks tags or has others: ${keys(action.tags)}`;
    case 'RemoveTags':
      return `${action.arns.join(', ')} has tags that are not asked for: ${action.keys.join(', ')}`;
    case 'DeleteLoadBalancer':
    case 'DeleteTargetGroup':
      return `${action.name} was not asked for`;
  }
};

const PARTS = {
  primary: { itself: 'loadBalancer', targets: 'targets' },
  secondary: { itself: 'secondaryLoadBalancer', targets: 'secondaryTargets' },
} as const;

/** A digest of what a load balancer is asked to be. What was recorded meanwhile is no wish. */
export const loadBalancerWishes = (desired: DesiredLoadBalancing): Wishes => {
  const { recordedHost: _host, ownEndpoint: _own, recordedGroups: _groups, staleTags: _tags, ...wish } = desired;
  return { [PARTS[desired.role].itself]: digestOf(wish) };
};

/**
 * A digest of the target groups behind a load balancer, as they are and not as they are named: into one that was made
 * anew all machines come, which is no repair. A classic load balancer is its own group; its DNS name tells it from one
 * before it.
 */
export const targetWishes = (
  { role }: Pick<DesiredLoadBalancing, 'role'>,
  { loadBalancer, listeners }: ObservedLoadBalancing,
): Wishes => {
  const groups = new Set(listeners.flatMap(({ targetGroupArn }) => targetGroupArn ?? []));
  return { [PARTS[role].targets]: digestOf([loadBalancer?.dnsName ?? '', ...[...groups].sort()]) };
};

/** Whether a machine that is missing behind the load balancer was there once, so that somebody has taken it out. */
export const hadAllTargets = (
  awsCluster: AWSCluster,
  desired: DesiredLoadBalancing,
  observed: ObservedLoadBalancing,
): boolean => settledBy(awsCluster, targetWishes(desired, observed), PARTS[desired.role].targets)('Target');

/** By what the plan of a load balancer is held to the cluster's policies. */
export const loadBalancerDriftFacts = (
  desired: DesiredLoadBalancing,
  { cluster, awsCluster }: { cluster: Cluster; awsCluster: AWSCluster },
): DriftFacts<LoadBalancerAction> => ({
  kindOf: driftKindOfLoadBalancer,
  describe: describeLoadBalancerDrift,
  policies: driftPoliciesOf(cluster),
  isSettled: settledBy(awsCluster, loadBalancerWishes(desired), PARTS[desired.role].itself),
});
