/** The monthly cost of a cluster, as far as prices are known. Pure. */
import type { AWSCluster, AWSMachine } from '../../../../kinds/index.ts';
import { type Charge, machineCharges, networkCharges } from './charges.ts';
import { type OwnCost, ownCost } from './own.ts';
import { findPrice, type PriceList } from './prices.ts';

/** Equal resources of a cluster and their combined cost. */
export interface CostLine {
  item: string;
  quantity: number;
  /** Undefined if no list has a price for it. */
  usdPerMonth?: number;
  /** Why there is no price. */
  unknown?: string;
}

/** An estimate from list prices: traffic, requests and snapshots are not part of it (docs/cost.md). */
export interface CostEstimate {
  /** For all resources with a known price. Undefined if there is none. */
  usdPerMonth?: number;
  /** At least one resource has no known price and is not counted. */
  isLowerBound: boolean;
  /** Spot instances are counted at their maximum price. */
  isUpperBound: boolean;
  lines: readonly CostLine[];
  /** The region of the cluster; empty if it is not known yet. */
  region: string;
  /** Some prices are those of us-east-1, because no list has those of the region. */
  hasStandIns: boolean;
  /** The sources of the prices: `AWS list prices of us-east-1, 2026-07-20`. */
  sources: readonly string[];
  /** The cost of Windlass itself for the cluster, which is not part of the sum. */
  own?: OwnCost;
}

/** The name of an ordinary zone is that of its region and one letter. */
const regionOfZone = (zone: string | undefined): string | undefined => /^(.+-\d+)[a-z]$/.exec(zone ?? '')?.[1];

/** An AWSCluster without a region is in the region of the installation, which its zones show. */
const regionOf = (awsCluster: AWSCluster | undefined, machines: readonly AWSMachine[]): string => {
  const zones = [
    ...(awsCluster?.spec.network?.subnets ?? []).map(({ availabilityZone }) => availabilityZone),
    ...machines.map(({ spec }) => spec.providerID?.split('/').at(-2)),
  ];
  return awsCluster?.spec.region || zones.map(regionOfZone).find((one) => one !== undefined) || '';
};

interface Priced extends CostLine {
  isUpperBound: boolean;
  isStandIn?: boolean;
  source?: string;
}

const STAND_IN = 'us-east-1';

const priced = (
  { item, quantity, monthly, unknown, isUpperBound = false }: Charge,
  region: string,
  lists: readonly PriceList[],
): Priced => {
  const found = findPrice(lists, region || STAND_IN, monthly);
  const without = { item, quantity, unknown: unknown ?? 'no price', isUpperBound: false };
  if (found === undefined) return without;
  const source = `${found.list.name} of ${found.region}, ${found.list.date}`;
  return {
    item,
    quantity,
    usdPerMonth: found.price * quantity,
    isUpperBound,
    isStandIn: found.region !== region,
    source,
  };
};

const sum = (amounts: readonly (number | undefined)[]): number =>
  amounts.reduce<number>((total, one) => total + (one ?? 0), 0);

const cents = (amount: number): number => Math.round(amount * 100) / 100;

/** Combines equal items into one line. */
const merged = (items: readonly Priced[]): CostLine[] =>
  [...Map.groupBy(items, ({ item, unknown }) => `${item} ${unknown ?? ''}`).values()].map((same) => {
    const { item = '', usdPerMonth, unknown } = same[0] ?? {};
    const quantity = sum(same.map((one) => one.quantity));
    return usdPerMonth === undefined
      ? { item, quantity, unknown }
      : { item, quantity, usdPerMonth: cents(sum(same.map((one) => one.usdPerMonth))) };
  });

/** The estimate for charges in a region. `lists`: those of users take precedence over AWS's. */
export const estimateOf = (charges: readonly Charge[], region: string, lists: readonly PriceList[]): CostEstimate => {
  const items = charges.map((charge) => priced(charge, region, lists));
  const known = items.filter(({ usdPerMonth }) => usdPerMonth !== undefined);
  const total = cents(sum(known.map(({ usdPerMonth }) => usdPerMonth)));
  return {
    ...(known.length > 0 || items.length === 0 ? { usdPerMonth: total } : {}),
    isLowerBound: known.length < items.length,
    isUpperBound: known.some(({ isUpperBound }) => isUpperBound),
    lines: merged(items),
    region,
    hasStandIns: known.some(({ isStandIn }) => isStandIn),
    sources: [...new Set(known.flatMap(({ source }) => source ?? []))],
  };
};

/** The monthly cost of a cluster with its current resources. Without its AWSCluster, its network is not counted. */
export const estimateCost = (
  { awsCluster, machines }: { awsCluster?: AWSCluster; machines: readonly AWSMachine[] },
  lists: readonly PriceList[],
): CostEstimate => {
  const charges = [...machines.flatMap(machineCharges), ...(awsCluster ? networkCharges(awsCluster) : [])];
  const region = regionOf(awsCluster, machines);
  const { usdPerMonth, ...estimate } = estimateOf(charges, region, lists);
  const own = ownCost(machines.length, region || STAND_IN, lists);
  const isUnknown = usdPerMonth === undefined || (awsCluster === undefined && charges.length === 0);
  return {
    ...(isUnknown ? {} : { usdPerMonth }),
    ...estimate,
    isLowerBound: estimate.isLowerBound || awsCluster === undefined,
    ...(own ? { own } : {}),
  };
};
