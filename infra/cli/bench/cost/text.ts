/** The figures of `npm run bench -- cost`, in readable form and for programs. */
import { findPrice, HOURS_PER_MONTH, type PriceList } from '../../../../shared/providers/aws/plan/cost/prices.ts';
import { type Bill, billOf, type Usage } from '../../../../shared/providers/aws/plan/cost/usage.ts';
import { columns } from '../../describe/table.ts';
import { type Counted, FLEETS, happenings, LIVES, monthOf, ownMonths } from './model.ts';

const REGION = 'us-east-1';

const billHere = (usage: Usage, lists: readonly PriceList[]): Bill => billOf(usage, REGION, lists);

/** The smallest usual management cluster: EKS with three nodes of 20 GiB. Undefined if their prices are unknown. */
const managementCluster = (lists: readonly PriceList[]): number | undefined => {
  const NODES = 3;
  const GIBIBYTES = 20;
  const hourly = [
    findPrice(lists, REGION, ({ eksControlPlane }) => eksControlPlane)?.price,
    findPrice(lists, REGION, ({ instances }) => instances?.['m5.large'])?.price,
    findPrice(lists, REGION, ({ volumes }) => volumes?.gp3?.gibibyte)?.price,
  ];
  const [cluster, node, gibibyte] = hourly;
  if (cluster === undefined || node === undefined || gibibyte === undefined) return undefined;
  return HOURS_PER_MONTH * (cluster + NODES * node) + NODES * GIBIBYTES * gibibyte;
};

export const summarizeCosts = (counted: Counted, lists: readonly PriceList[]) => ({
  counted,
  own: ownMonths(counted),
  happenings: Object.entries(happenings(counted)).map(([what, usage]) => ({
    what,
    usage,
    usd: billHere(usage, lists).usd,
  })),
  months: FLEETS.map((clusters) => ({
    clusters,
    usd: Object.fromEntries(
      Object.entries(LIVES).map(([life, more]) => [life, billHere(monthOf(counted, { clusters, ...more }), lists).usd]),
    ),
    managementClusterUsd: managementCluster(lists),
  })),
});

const whole = (quantity = 0): string =>
  quantity.toLocaleString(
    'en-US',
    quantity !== 0 && Math.abs(quantity) < 10 ? { maximumFractionDigits: 1 } : { maximumFractionDigits: 0 },
  );

const happeningRow = ({ what, usage, usd }: ReturnType<typeof summarizeCosts>['happenings'][number]): string[] => [
  what,
  ...[usage.transitions, usage.invocations, usage.gigabyteSeconds, usage.readUnits, usage.writeUnits].map(whole),
  usd.toFixed(6),
];

/** `28.10 (0.0281)`: the total, and the cost per cluster. */
const monthText = (usd: number, clusters: number): string =>
  clusters < 2 ? usd.toFixed(2) : `${usd.toFixed(2)} (${(usd / clusters).toFixed(4)})`;

export const tableOfCosts = (counted: Counted, lists: readonly PriceList[]): string => {
  const { happenings: rows, months } = summarizeCosts(counted, lists);
  const { controlPlane, workers, bootSeconds } = counted;
  const idle = monthOf(counted, { clusters: 0 });
  return [
    `What happens to clusters of ${controlPlane}+${workers} machines that boot for ${bootSeconds} s, in USD:`,
    '',
    ...columns(
      [['', 'TRANSITIONS', 'INVOCATIONS', 'GB-SECONDS', 'READS', 'WRITES', 'USD'], ...rows.map(happeningRow)],
      { header: 1 },
    ),
    '',
    'A month of an installation, in USD, and in brackets for each cluster:',
    '',
    ...columns(
      [
        ['CLUSTERS', ...Object.keys(LIVES).map((life) => life.toUpperCase()), 'CLUSTER API ON EKS, AT LEAST'],
        ...months.map(({ clusters, usd, managementClusterUsd }) => [
          whole(clusters),
          ...Object.values(usd).map((value) => monthText(value, clusters)),
          managementClusterUsd?.toFixed(2) ?? 'unknown',
        ]),
      ],
      { header: 1 },
    ),
    '',
    'A month without clusters:',
    '',
    ...columns(
      billHere(idle, lists)
        .lines.filter(({ usd = 0 }) => usd >= 0.005)
        .map(({ service, item, quantity, usd = 0 }) => [usd.toFixed(2), service, `${whole(quantity)} ${item}`]),
      { header: 0 },
    ),
  ].join('\n');
};
