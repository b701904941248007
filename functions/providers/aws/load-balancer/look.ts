import type { Elbv2Writes } from '../../../../shared/providers/aws/load-balancer/api.ts';
import type { DesiredLoadBalancing } from '../../../../shared/providers/aws/load-balancer/desired-balancing.ts';
import type { ObservedLoadBalancing } from '../../../../shared/providers/aws/load-balancer/model.ts';
import { observeLoadBalancing, withTargets } from '../../../../shared/providers/aws/load-balancer/observe.ts';
import type { Sought } from '../../../../shared/providers/aws/load-balancer/target-groups/observe.ts';
import type { AwsScope } from '../../../../shared/providers/aws/scope.ts';
import type { ClusterName } from '../../../../shared/providers/aws/tags.ts';
import type { LoadBalancerDependencies } from './dependencies.ts';

/** The observed state of one load balancer, and the client that changes it. */
export interface Balancing {
  elb: Elbv2Writes;
  observed: ObservedLoadBalancing;
  /** The observed state with the targets of its groups. */
  withTargets(): Promise<ObservedLoadBalancing>;
}

/** The load balancer to find, of either generation. */
export const lookAt = async (
  deps: Pick<LoadBalancerDependencies, 'elbv2' | 'classicElb'>,
  { aws, name }: { aws: AwsScope; name: ClusterName },
  type: DesiredLoadBalancing['type'],
  sought: Sought,
): Promise<Balancing> => {
  if (type === 'classic') {
    const elb = deps.classicElb(aws);
    const observed = await elb.observe(sought.loadBalancer);
    return { elb, observed, withTargets: async () => observed };
  }
  const elb = deps.elbv2(aws);
  const observed = await observeLoadBalancing(elb, name, sought);
  return { elb, observed, withTargets: () => withTargets(elb, observed) };
};
