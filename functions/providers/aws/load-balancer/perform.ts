import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { Elbv2Writes } from '../../../../shared/providers/aws/load-balancer/api.ts';
import type { DesiredLoadBalancing } from '../../../../shared/providers/aws/load-balancer/desired-balancing.ts';
import { operationOf } from '../../../../shared/providers/aws/load-balancer/drivers.ts';
import type { LoadBalancerAction } from '../../../../shared/providers/aws/load-balancer/model.ts';
import type { Actor } from '../infrastructure/act.ts';
import { COMPONENT, type LoadBalancerDependencies } from './dependencies.ts';

/** The addresses for a load balancer that is about to be made. */
type TakeAddresses = (desired: DesiredLoadBalancing) => Promise<readonly string[]>;

const none: TakeAddresses = async () => [];

/** Carries out load balancer actions and reports them on `regarding`. */
export const elbActor = (
  { objects, clock }: Pick<LoadBalancerDependencies, 'objects' | 'clock'>,
  elb: Elbv2Writes,
  regarding: KubeObject,
  addresses: TakeAddresses = none,
): Actor<LoadBalancerAction> => ({
  perform: async (action) => {
    const allocationIds = action.type === 'CreateLoadBalancer' ? await addresses(action.desired) : [];
    await operationOf(action).call(elb, action, allocationIds);
    return operationOf(action).tell(action);
  },
  reasonOf: (action) => operationOf(action).reason,
  component: COMPONENT,
  regarding,
  objects,
  clock,
});
