import type { Elbv2 } from '../../../shared/aws/elbv2.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { ObjectClient } from '../../../shared/kube-api/client.ts';

/** What the load balancer's steps work with. */
export interface LoadBalancerDependencies {
  objects: ObjectClient;
  /** ELBv2 of a region; the stack's own where the cluster names none. */
  elbv2: (region: string | undefined) => Elbv2;
  clock: Clock;
}

/** Who the events come from. */
export const COMPONENT = 'cluster-load-balancer';
