import type { DriftKind } from '../../../kinds/rules/drift-policy.ts';
import type { CacheUpdates, PortCacheOptions } from '../api/port-cache.ts';
import type { ClusterName } from '../tags.ts';
import type { Elbv2, Elbv2Reads, Elbv2Writes } from './api.ts';
import type { DesiredLoadBalancing } from './desired-balancing.ts';
import type { LoadBalancerAction, ObservedLoadBalancing } from './model.ts';
import type { LoadBalancerPlan } from './parts.ts';
import type { BalancingCall } from './reasons.ts';

/**
 * Everything about one kind of resource of a load balancer. Each has a folder, like those of the network
 * (shared/providers/aws/network/driver.ts); drivers.ts lists them all.
 */

/** One kind of action: how it is carried out, and what it says of a load balancer that was complete. */
export interface Operation<Action> {
  /** What follows Successful or Failed in the reason of the event. */
  reason: BalancingCall;
  /** The call. `allocationIds`: of the addresses of a load balancer that is about to be made. */
  call(elb: Elbv2Writes, action: Action, allocationIds: readonly string[]): Promise<unknown>;
  /** What was done, in a sentence. */
  tell(action: Action): string;
  /** What kind of drift it repairs, when it is planned for a load balancer that was complete. */
  drift: DriftKind;
  /** The outside change, as a sentence without its end. */
  drifted(action: Action): string;
}

export type Operations<A extends { type: string }> = {
  readonly [T in A['type']]: Operation<Extract<A, { type: T }>>;
};

export interface DriverCache {
  /** The reads whose answers are kept. */
  reads: readonly (keyof Elbv2Reads)[];
  /** Which of them each write may change; one that is in neither list may change all. */
  invalidates?: PortCacheOptions<Elbv2>['invalidates'];
  /** For writes whose effect on reads follows from their request and answer. */
  updates?: CacheUpdates<Elbv2>;
}

/** The IAM actions of Elastic Load Balancing that the driver needs, and the types in the ARNs of created resources. */
export interface DriverRights {
  reads: readonly string[];
  creates?: readonly string[];
  changes: readonly string[];
  types?: readonly string[];
}

export interface Driver<A extends LoadBalancerAction> {
  /** What is to be done now; a problem keeps the drivers after it from being asked. */
  plan?(cluster: ClusterName, desired: DesiredLoadBalancing, observed: ObservedLoadBalancing): LoadBalancerPlan;
  /** What can go now. */
  takeDown?(cluster: ClusterName, observed: ObservedLoadBalancing): LoadBalancerAction[];
  operations: Operations<A>;
  cache: DriverCache;
  rights: DriverRights;
}

/** A driver among others: its actions are those of the list that contains it. */
export type AnyDriver = Omit<Driver<LoadBalancerAction>, 'operations'> & {
  operations: Readonly<Record<string, Operation<LoadBalancerAction>>>;
};
