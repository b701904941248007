import type { Clock } from '../../../clock.ts';
import type { Elbv2 } from '../load-balancer/api.ts';
import { BALANCING_CACHE } from '../load-balancer/drivers.ts';
import { CACHE_SECONDS, createPortCache, type PortCache } from './port-cache.ts';

/** The cache for the load balancers of clusters. */
export const createBalancingCache = (clock: Pick<Clock, 'now'>): PortCache<Elbv2> =>
  createPortCache<Elbv2>({ clock, seconds: CACHE_SECONDS, ...BALANCING_CACHE });
