import type { BalancerAction, ObservedLoadBalancer } from './balancer/model.ts';
import type { ListenerAction, ObservedListener } from './listeners/model.ts';
import type { TagAction } from './tags/model.ts';
import type { ObservedTargetGroup, TargetGroupAction } from './target-groups/model.ts';

/**
 * What ELBv2 shows of a load balancer of the API as a whole, and what it is to be. The parts are declared in the folders
 * of the resources. Nothing here knows the SDK.
 */

export interface ObservedLoadBalancing {
  /** The one with the desired name. */
  loadBalancer?: ObservedLoadBalancer;
  /** Those that its listeners forward to, and those with the requested names. */
  targetGroups: readonly ObservedTargetGroup[];
  listeners: readonly ObservedListener[];
}

/** One call to ELBv2. */
export type LoadBalancerAction = BalancerAction | TargetGroupAction | ListenerAction | TagAction;
