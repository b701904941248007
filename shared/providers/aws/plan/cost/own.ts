/** The monthly cost of Windlass itself, estimated from one measurement. Pure. */
import { COUNTED_MACHINES, INSTALLATION_MONTH, SWEPT_CLUSTER_MONTH } from './own-counted.ts';
import type { PriceList } from './prices.ts';
import { billOf, timesUsage } from './usage.ts';

/** USD per month. */
export interface OwnCost {
  /** The cost of one cluster while nothing changes, because every sweep checks it. */
  cluster: number;
  /** The cost of the installation, whatever its clusters: alarms, the key, and the sweep itself. */
  installation: number;
}

/** A sweep reads the objects of a cluster and of each of its machines. */
const shareOf = (machines: number): number => (1 + machines) / (1 + COUNTED_MACHINES);

/** Undefined if no list has prices for the region. */
export const ownCost = (machines: number, region: string, lists: readonly PriceList[]): OwnCost | undefined => {
  const cluster = billOf(timesUsage(SWEPT_CLUSTER_MONTH, shareOf(machines)), region, lists);
  const installation = billOf(INSTALLATION_MONTH, region, lists);
  if (cluster.isLowerBound || installation.isLowerBound) return undefined;
  return { cluster: cluster.usd, installation: installation.usd };
};
