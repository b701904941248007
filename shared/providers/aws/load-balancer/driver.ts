import type { DriftKind } from '../../../kinds/rules/drift-policy.ts';
import type { CacheUpdates, PortCacheOptions } from '../api/port-cache.ts';
import type { ClusterName } from '../tags.ts';
import type { Elbv2, Elbv2Reads, Elbv2Writes } from './api.ts';
import type { DesiredLoadBalancing } from './desired-balancing.ts';
import type { LoadBalancerAction, ObservedLoadBalancing } from './model.ts';
import type { LoadBalancerPlan } from './parts.ts';
import type { BalancingCall } from './reasons.ts';

/**
 * The code for one kind of resource of a load balancer. Each kind has a folder, like those of the network
 * (shared/providers/aws/network/driver.ts), and drivers.ts lists them all.
 */

/** One kind of action: how it is carried out, and what it means for a load balancer that was complete. */
export interface Operation<Action> {
  /** The part of the event's reason after Successful or Failed. */
  reason: BalancingCall;
  /** Makes the call. `allocationIds`: the ids of the addresses for a new load balancer. */
  call(elb: Elbv2Writes, action: Action, allocationIds: readonly string[]): Promise<unknown>;
  /** A sentence about what was done. */
  tell(action: Action): string;
  /** The kind of drift that it repairs, if it is planned for a load balancer that was complete. */
  drift: DriftKind;
  /** A sentence, without its full stop, about the change by others. */
  drifted(action: Action): string;
}

export type Operations<A extends { type: string }> = {
  readonly [T in A['type']]: Operation<Extract<A, { type: T }>>;
};

export interface DriverCache {
  /** The reads whose responses are cached. */
  reads: readonly (keyof Elbv2Reads)[];
  /** The reads that each write may affect. A write that is in neither list may affect all of them. */
  invalidates?: PortCacheOptions<Elbv2>['invalidates'];
  /** Writes whose effects on reads can be derived from their requests and responses. */
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
  /** What must be done now. After a problem, no further driver is planned. */
  plan?(cluster: ClusterName, desired: DesiredLoadBalancing, observed: ObservedLoadBalancing): LoadBalancerPlan;
  /** What can be deleted now. */
  takeDown?(cluster: ClusterName, observed: ObservedLoadBalancing): LoadBalancerAction[];
  operations: Operations<A>;
  cache: DriverCache;
  rights: DriverRights;
}

/** Any driver: its actions belong to the list that contains it. */
export type AnyDriver = Omit<Driver<LoadBalancerAction>, 'operations'> & {
  operations: Readonly<Record<string, Operation<LoadBalancerAction>>>;
};
