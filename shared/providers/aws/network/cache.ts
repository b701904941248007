import type { PortCacheOptions } from '../api/port-cache.ts';
import type { Ec2Network } from './api.ts';
import { DRIVERS } from './drivers.ts';

const CACHES = DRIVERS.flatMap(({ cache }) => cache ?? []);

const merge = <T extends object>(parts: readonly (T | undefined)[]): T => Object.assign({}, ...parts);

/** The cached reads of networks: what a creation does not affect is not read again in the next round. */
export const NETWORK_CACHE: Pick<PortCacheOptions<Ec2Network>, 'reads' | 'passing' | 'invalidates' | 'updates'> = {
  reads: CACHES.flatMap(({ reads = [] }) => reads),
  passing: merge(CACHES.map(({ passing }) => passing)),
  invalidates: merge(CACHES.map(({ invalidates }) => invalidates)),
  updates: merge(CACHES.map(({ updates }) => updates)),
};
