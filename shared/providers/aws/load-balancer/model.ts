import type { BalancerAction, ObservedLoadBalancer } from './balancer/model.ts';
import type { ListenerAction, ObservedListener } from './listeners/model.ts';
import type { TagAction } from './tags/model.ts';
import type { ObservedTargetGroup, TargetGroupAction } from './target-groups/model.ts';

/**
 * The observed and the desired state of an API's load balancer as a whole. The parts are declared in the folders of the
 * resources. Nothing here uses the SDK.
 */

export interface ObservedLoadBalancing {
  /** The load balancer with the desired name. */
  loadBalancer?: ObservedLoadBalancer;
  /** The groups to which its listeners forward, and those with the requested names. */
  targetGroups: readonly ObservedTargetGroup[];
  listeners: readonly ObservedListener[];
}

/** One call to ELBv2. */
export type LoadBalancerAction = BalancerAction | TargetGroupAction | ListenerAction | TagAction;
