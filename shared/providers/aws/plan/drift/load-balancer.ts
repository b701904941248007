import type { AWSCluster, Cluster } from '../../../../kinds/index.ts';
import { type DriftKind, driftPoliciesOf } from '../../../../kinds/rules/drift-policy.ts';
import type { DesiredLoadBalancing } from '../../load-balancer/desired-balancing.ts';
import { operationOf } from '../../load-balancer/drivers.ts';
import type { LoadBalancerAction, ObservedLoadBalancing } from '../../load-balancer/model.ts';
import { digestOf, settledBy, type Wishes } from './settled.ts';
import type { DriftFacts } from './withhold.ts';

/** The kind of drift that an action repairs, if it is planned for a load balancer that was complete. */
const driftKindOfLoadBalancer = (action: LoadBalancerAction): DriftKind => operationOf(action).drift;

/** A sentence, without its full stop, about the change by others that the action would repair. */
const describeLoadBalancerDrift = (action: LoadBalancerAction): string => operationOf(action).drifted(action);

const PARTS = {
  primary: { itself: 'loadBalancer', targets: 'targets' },
  secondary: { itself: 'secondaryLoadBalancer', targets: 'secondaryTargets' },
} as const;

/** Fields that no user requests: they were recorded, or describe where the requested parts are. */
const BESIDES = ['recordedHost', 'ownEndpoint', 'recordedGroups', 'staleTags', 'subnetZones', 'withoutIpv6'] as const;

/** A digest of a load balancer's desired state, as far as users request it. */
export const loadBalancerWishes = (desired: DesiredLoadBalancing): Wishes => {
  const besides: readonly string[] = BESIDES;
  const wish = Object.fromEntries(Object.entries(desired).filter(([name]) => !besides.includes(name)));
  // Properties that may stay as they were are not requested either.
  const listeners = desired.listeners.map(({ targetGroup, ...listener }) => ({
    ...listener,
    targetGroup: { ...targetGroup, mayStay: undefined },
  }));
  return { [PARTS[desired.role].itself]: digestOf({ ...wish, listeners }) };
};

/**
 * A digest of the target groups behind a load balancer, by identity and not by name: if a group was recreated, all
 * machines are registered with it, which is not a repair. A classic load balancer is its own group, and its DNS name
 * distinguishes it from earlier ones.
 */
export const targetWishes = (
  { role }: Pick<DesiredLoadBalancing, 'role'>,
  { loadBalancer, listeners }: ObservedLoadBalancing,
): Wishes => {
  const groups = new Set(listeners.flatMap(({ targetGroupArn }) => targetGroupArn ?? []));
  return { [PARTS[role].targets]: digestOf([loadBalancer?.dnsName ?? '', ...[...groups].sort()]) };
};

/**
 * Whether a machine that is not registered with the load balancer was registered before, so that others have
 * deregistered it.
 */
export const hadAllTargets = (
  awsCluster: AWSCluster,
  desired: DesiredLoadBalancing,
  observed: ObservedLoadBalancing,
): boolean => settledBy(awsCluster, targetWishes(desired, observed), PARTS[desired.role].targets)('Target');

/** How the cluster's policies apply to the plan of a load balancer. */
export const loadBalancerDriftFacts = (
  desired: DesiredLoadBalancing,
  { cluster, awsCluster }: { cluster: Cluster; awsCluster: AWSCluster },
): DriftFacts<LoadBalancerAction> => ({
  kindOf: driftKindOfLoadBalancer,
  describe: describeLoadBalancerDrift,
  policies: driftPoliciesOf(cluster),
  isSettled: settledBy(awsCluster, loadBalancerWishes(desired), PARTS[desired.role].itself),
});
