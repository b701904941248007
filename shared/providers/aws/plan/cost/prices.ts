/** Prices by region, and how one is found. */
import type { ServiceUnit } from './units.ts';

/** USD a month. */
export interface VolumePrice {
  /** For each GiB. */
  gibibyte: number;
  /** For each provisioned operation per second above the included ones; absent if they cannot be provisioned. */
  iops?: number;
  includedIops?: number;
  /** For each provisioned MiB a second above those that are included. */
  throughput?: number;
  includedThroughput?: number;
}

/** USD an hour, except for volumes and services. */
export interface RegionPrices {
  /** On-demand prices by instance type. */
  instances?: Readonly<Record<string, number>>;
  /** What spot instances cost on average, by instance type. */
  spot?: Readonly<Record<string, number>>;
  natGateway?: number;
  networkLoadBalancer?: number;
  classicLoadBalancer?: number;
  publicIpv4?: number;
  /** Of a cluster of EKS: what people run Cluster API on otherwise. */
  eksControlPlane?: number;
  /** By volume type. */
  volumes?: Readonly<Record<string, VolumePrice>>;
  /** USD per unit that Windlass itself uses. */
  services?: Readonly<Partial<Record<ServiceUnit, number>>>;
}

export interface PriceList {
  /** Whose prices these are, as people read it. */
  name: string;
  /** The day on which they were valid: `2026-07-20`. */
  date: string;
  regions: Readonly<Record<string, RegionPrices>>;
}

/** A price, and the list and the region that it comes from. */
export interface FoundPrice<T> {
  price: T;
  list: PriceList;
  region: string;
}

/** AWS's own convention for a month. */
export const HOURS_PER_MONTH = 730;

/** Prices of this region are used for regions without any. */
const MAIN_REGION = 'us-east-1';

/** China has other prices and another currency: no other prices are used for it. */
const hasStandIn = (region: string): boolean => !region.startsWith('cn-');

/**
 * A price in a region, from the first list that has it; if no list has the region's price, that of us-east-1. Undefined
 * if it is unknown: nothing is guessed.
 */
export const findPrice = <T>(
  lists: readonly PriceList[],
  region: string,
  pick: (prices: RegionPrices) => T | undefined,
): FoundPrice<T> | undefined => {
  const regions = hasStandIn(region) && region !== MAIN_REGION ? [region, MAIN_REGION] : [region];
  for (const from of regions) {
    for (const list of lists) {
      const prices = list.regions[from];
      const price = prices && pick(prices);
      if (price !== undefined) return { price, list, region: from };
    }
  }
  return undefined;
};
