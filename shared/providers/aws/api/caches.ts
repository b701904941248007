import type { Clock } from '../../../clock.ts';
import type { Ec2Network } from '../network/api.ts';
import { NETWORK_CACHE } from '../network/cache.ts';
import { BALANCING_UPDATES } from './balancing-cache.ts';
import type { Elbv2 } from './elbv2.ts';
import { createPortCache, type PortCache } from './port-cache.ts';

/** While a cluster comes to be, passes follow each other by seconds; what others do meanwhile is seen as by the sweep. */
const SECONDS = 300;

/** For the networks of clusters. */
export const createNetworkCache = (clock: Pick<Clock, 'now'>): PortCache<Ec2Network> =>
  createPortCache<Ec2Network>({ clock, seconds: SECONDS, ...NETWORK_CACHE });

/** For their load balancers. Which targets are registered is always asked: the machines' own executions change that. */
export const createBalancingCache = (clock: Pick<Clock, 'now'>): PortCache<Elbv2> =>
  createPortCache<Elbv2>({
    clock,
    seconds: SECONDS,
    reads: [
      'describeLoadBalancer',
      'describeLoadBalancerAttributes',
      'describeListeners',
      'describeTargetGroup',
      'describeTargetGroupsOf',
      'describeTargetGroupAttributes',
      'describeTags',
    ],
    updates: BALANCING_UPDATES,
    invalidates: { registerTarget: [] },
  });
