import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { Elbv2Writes } from '../../../../shared/providers/aws/load-balancer/api.ts';
import type { DesiredLoadBalancing } from '../../../../shared/providers/aws/load-balancer/desired-balancing.ts';
import { operationOf } from '../../../../shared/providers/aws/load-balancer/drivers.ts';
import type { LoadBalancerAction } from '../../../../shared/providers/aws/load-balancer/model.ts';
import type { BalancingCall } from '../../../../shared/providers/aws/load-balancer/reasons.ts';
import type { Actor } from '../infrastructure/act.ts';
import type { LoadBalancerDependencies } from './dependencies.ts';
import { recorder } from './reasons.ts';

/** The addresses for a load balancer that is about to be created. */
type TakeAddresses = (desired: DesiredLoadBalancing) => Promise<readonly string[]>;

const none: TakeAddresses = async () => [];

/** Carries out load balancer actions and records them on `regarding`. */
export const elbActor = (
  deps: Pick<LoadBalancerDependencies, 'objects' | 'clock'>,
  elb: Elbv2Writes,
  regarding: KubeObject,
  addresses: TakeAddresses = none,
): Actor<LoadBalancerAction, BalancingCall> => ({
  perform: async (action) => {
    const allocationIds = action.type === 'CreateLoadBalancer' ? await addresses(action.desired) : [];
    await operationOf(action).call(elb, action, allocationIds);
    return operationOf(action).tell(action);
  },
  reasonOf: (action) => operationOf(action).reason,
  recorder: recorder(deps),
  regarding,
});
