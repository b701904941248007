/** The cost of clusters, as text. The page also uses this module. */
import { type CostEstimate, estimateCost } from '../../../shared/providers/aws/plan/cost/estimate.ts';
import type { OwnCost } from '../../../shared/providers/aws/plan/cost/own.ts';
import type { PriceList } from '../../../shared/providers/aws/plan/cost/prices.ts';
import { awsClusterName, awsClusterOf, awsMachinesOf } from './aws-objects.ts';
import type { ClusterObjects } from './objects.ts';

/** The monthly cost of a cluster's current resources; undefined if its infrastructure is not AWS. */
export const costOf = (objects: ClusterObjects, lists: readonly PriceList[]): CostEstimate | undefined =>
  awsClusterName(objects.cluster) === undefined
    ? undefined
    : estimateCost({ awsCluster: awsClusterOf(objects), machines: awsMachinesOf(objects) }, lists);

/** `12.34`; from 100 on without cents: `1,234`. */
export const amount = (usd: number): string =>
  Math.abs(usd) < 100 ? usd.toFixed(2) : Math.round(usd).toLocaleString('en-US');

type Bounds = Pick<CostEstimate, 'usdPerMonth' | 'isLowerBound' | 'isUpperBound'>;

const BOUNDS = { exact: '', lower: 'at least ', upper: 'up to ', both: 'about ' } as const;

/** `520 USD`, `at least 520 USD`, `up to 520 USD` for spot instances, or `unknown`. */
export const costText = (cost: Bounds | undefined): string => {
  if (cost?.usdPerMonth === undefined) return 'unknown';
  const { isLowerBound, isUpperBound, usdPerMonth } = cost;
  const bound = isLowerBound ? (isUpperBound ? 'both' : 'lower') : isUpperBound ? 'upper' : 'exact';
  return `${BOUNDS[bound]}${amount(usdPerMonth)} USD`;
};

/** The source of the prices, and what they exclude. */
export const costNotes = ({ sources, hasStandIns, region, isUpperBound }: Omit<CostEstimate, 'lines'>): string[] => [
  ...(sources.length > 0 ? [`Estimated from ${sources.join(' and ')}.`] : []),
  ...(hasStandIns ? [`Prices of us-east-1 stand in for those of ${region || 'its region'}, which are not known.`] : []),
  ...(isUpperBound ? ['Spot instances are counted with the most that they can cost.'] : []),
  'Traffic, requests, snapshots and taxes are not counted (docs/cost.md).',
];

/** `0.031`: Windlass costs only cents per cluster. */
const small = (usd: number): string => (usd < 1 ? usd.toFixed(3) : amount(usd));

/** The cost of Windlass itself on AWS; `whose` describes the clusters. */
export const ownCostNote = (own: OwnCost | undefined, whose = 'this cluster'): string =>
  own === undefined
    ? 'What Windlass itself costs is not known here: no list has prices of its services.'
    : `Windlass itself costs about ${small(own.cluster)} USD a month on AWS for ${whose}, and ${amount(own.installation)} USD for the installation (docs/cost.md).`;
