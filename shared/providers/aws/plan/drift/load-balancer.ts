import type { AWSCluster, Cluster } from '../../../../kinds/index.ts';
import { type DriftKind, driftPoliciesOf } from '../../../../kinds/rules/drift-policy.ts';
import type { DesiredLoadBalancing } from '../../load-balancer/desired-balancing.ts';
import { operationOf } from '../../load-balancer/drivers.ts';
import type { LoadBalancerAction, ObservedLoadBalancing } from '../../load-balancer/model.ts';
import { digestOf, settledBy, type Wishes } from './settled.ts';
import type { DriftFacts } from './withhold.ts';

/** What kind of drift an action repairs, when it is planned for a load balancer that was complete. */
const driftKindOfLoadBalancer = (action: LoadBalancerAction): DriftKind => operationOf(action).drift;

/** The outside change, by the action that would repair it, as a sentence without its end. */
const describeLoadBalancerDrift = (action: LoadBalancerAction): string => operationOf(action).drifted(action);

const PARTS = {
  primary: { itself: 'loadBalancer', targets: 'targets' },
  secondary: { itself: 'secondaryLoadBalancer', targets: 'secondaryTargets' },
} as const;

/** What no user asks for: recorded meanwhile, or the place of what the wish names. */
const BESIDES = ['recordedHost', 'ownEndpoint', 'recordedGroups', 'staleTags', 'subnetZones', 'withoutIpv6'] as const;

/** A digest of a load balancer's desired state, as far as users ask for it. */
export const loadBalancerWishes = (desired: DesiredLoadBalancing): Wishes => {
  const besides: readonly string[] = BESIDES;
  const wish = Object.fromEntries(Object.entries(desired).filter(([name]) => !besides.includes(name)));
  // What may stay as it was is no wish either.
  const listeners = desired.listeners.map(({ targetGroup, ...listener }) => ({
    ...listener,
    targetGroup: { ...targetGroup, mayStay: undefined },
  }));
  return { [PARTS[desired.role].itself]: digestOf({ ...wish, listeners }) };
};

/**
 * A digest of the target groups behind a load balancer, by identity and not by name: if one was recreated, all machines
 * are registered with it, which is not a repair. A classic load balancer is its own group; its DNS name distinguishes
 * it from earlier ones.
 */
export const targetWishes = (
  { role }: Pick<DesiredLoadBalancing, 'role'>,
  { loadBalancer, listeners }: ObservedLoadBalancing,
): Wishes => {
  const groups = new Set(listeners.flatMap(({ targetGroupArn }) => targetGroupArn ?? []));
  return { [PARTS[role].targets]: digestOf([loadBalancer?.dnsName ?? '', ...[...groups].sort()]) };
};

/**
 * Whether a machine that is missing behind the load balancer was registered before, so that it was deregistered by
 * others.
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
