import type { Elbv2 } from '../../../shared/aws/elbv2.ts';
import type { BucketDependencies } from '../bucket/dependencies.ts';

/** What the load balancer's steps work with. */
export interface LoadBalancerDependencies extends BucketDependencies {
  /** ELBv2 of a region; the stack's own where the cluster names none. */
  elbv2: (region: string | undefined) => Elbv2;
}

/** Who the events come from. */
export const COMPONENT = 'cluster-load-balancer';
