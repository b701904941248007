/** Prices by region, and how they are looked up. */
import type { ServiceUnit } from './units.ts';

/** USD per month. */
export interface VolumePrice {
  /** Per GiB. */
  gibibyte: number;
  /** Per provisioned operation per second above the included ones; absent if they cannot be provisioned. */
  iops?: number;
  includedIops?: number;
  /** Per provisioned MiB per second above the included ones. */
  throughput?: number;
  includedThroughput?: number;
}

/** USD per hour, except for volumes and services. */
export interface RegionPrices {
  /** On-demand prices by instance type. */
  instances?: Readonly<Record<string, number>>;
  /** Average prices of spot instances, by instance type. */
  spot?: Readonly<Record<string, number>>;
  natGateway?: number;
  networkLoadBalancer?: number;
  classicLoadBalancer?: number;
  publicIpv4?: number;
  /** The price of an EKS cluster, which users of Cluster API often use for the management cluster. */
  eksControlPlane?: number;
  /** By volume type. */
  volumes?: Readonly<Record<string, VolumePrice>>;
  /** USD per unit that Windlass itself uses. */
  services?: Readonly<Partial<Record<ServiceUnit, number>>>;
}

export interface PriceList {
  /** The source of the prices, as users see it. */
  name: string;
  /** The day on which they were valid: `2026-07-20`. */
  date: string;
  regions: Readonly<Record<string, RegionPrices>>;
}

/** A price, with the list and the region from which it comes. */
export interface FoundPrice<T> {
  price: T;
  list: PriceList;
  region: string;
}

/** AWS's own convention for the hours in a month. */
export const HOURS_PER_MONTH = 730;

/** The prices of this region are used for regions without prices. */
const MAIN_REGION = 'us-east-1';

/** China has different prices and another currency, so no other prices are used for it. */
const hasStandIn = (region: string): boolean => !region.startsWith('cn-');

/**
 * A price in a region, from the first list that contains it. If no list has a price for the region, that of us-east-1
 * is used. Undefined if it is unknown: nothing is guessed.
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
