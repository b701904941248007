import type { Clock } from '../../../clock.ts';
import type { Ec2Network } from '../network/api.ts';
import { NETWORK_CACHE } from '../network/cache.ts';
import { CACHE_SECONDS, createPortCache, type PortCache } from './port-cache.ts';

/** The cache for the networks of clusters. */
export const createNetworkCache = (clock: Pick<Clock, 'now'>): PortCache<Ec2Network> =>
  createPortCache<Ec2Network>({ clock, seconds: CACHE_SECONDS, ...NETWORK_CACHE });
