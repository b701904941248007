/** The figures that `npm run bench -- aws` counts, and how they are shown. */
import { LIST_PRICES } from '../../../shared/providers/aws/plan/cost/us-east-1.ts';
import { billOf } from '../../../shared/providers/aws/plan/cost/usage.ts';

/** Calls by `service:operation`. */
export type Calls = Readonly<Record<string, number>>;

/** One phase of a cluster's lifecycle, or one sweep. */
export interface Phase {
  calls: Calls;
  /** State transitions of Step Functions, retries included. */
  transitions: number;
}

export interface ClusterFigures {
  controlPlane: number;
  workers: number;
  create: Phase;
  delete: Phase;
}

export interface SweepFigures {
  clusters: number;
  machines: number;
  calls: Calls;
  /** The time for reading the account, with the simulated account on the same processor. */
  seconds: number;
}

export interface AwsFigures {
  clusters: readonly ClusterFigures[];
  sweeps: readonly SweepFigures[];
}

/** Calls to create three control plane machines and ten workers, without those to the table. */
const AIM = { controlPlane: 3, workers: 10, createCalls: 160 };

const isTable = (name: string): boolean => name.startsWith('dynamodb:');
const sum = (calls: Calls, of: (name: string) => boolean): number =>
  Object.entries(calls).reduce((total, [name, count]) => total + (of(name) ? count : 0), 0);

/** Calls to AWS, without those to the table. */
export const awsCalls = (calls: Calls): number => sum(calls, (name) => !isTable(name));
export const tableCalls = (calls: Calls): number => sum(calls, isTable);

/** Sweeps in a month. */
const SWEEPS = (30 * 24 * 60) / 5;

/**
 * In US dollars in us-east-1, without free tiers. A call to the table counts as one request unit of the more expensive
 * kind.
 */
const priceOf = ({ calls, transitions }: Phase): number =>
  billOf({ transitions, writeUnits: tableCalls(calls), recordedCalls: awsCalls(calls) }, 'us-east-1', [LIST_PRICES])
    .usd;

/**
 * In US dollars: a creation and a deletion, and a month of sweeps per cluster. Calls to AWS are free, but recording
 * them (CloudTrail, GuardDuty) is not, if the account uses these services.
 */
export const costs = ({ clusters, sweeps }: AwsFigures) => ({
  clusters: clusters.map(({ controlPlane, workers, ...phases }) => ({
    controlPlane,
    workers,
    create: priceOf(phases.create),
    delete: priceOf(phases.delete),
  })),
  sweeps: sweeps.map(({ clusters: count, calls }) => ({
    clusters: count,
    monthlyPerCluster: (SWEEPS * priceOf({ calls, transitions: 0 })) / count,
  })),
});

/** All figures for programs, with the aim. */
export const summarizeAws = (figures: AwsFigures) => {
  const large = figures.clusters.find(({ workers }) => workers === AIM.workers);
  const calls = large === undefined ? undefined : awsCalls(large.create.calls);
  return {
    ...figures,
    costs: costs(figures),
    aims: [
      { what: 'calls to create 3+10', atMost: AIM.createCalls, calls, isMet: (calls ?? Number.NaN) <= AIM.createCalls },
    ],
  };
};

const byCount = (calls: Calls): [string, number][] => Object.entries(calls).toSorted(([, a], [, b]) => b - a);

const phaseLines = (title: string, phase: Phase): string[] => [
  `${title}: ${awsCalls(phase.calls)} calls, ${tableCalls(phase.calls)} to the table, ${phase.transitions} state transitions`,
  ...byCount(phase.calls).map(([name, count]) => `  ${name.padEnd(60)}${String(count).padStart(6)}`),
];

/** The figures in readable form. */
export const tableOfAws = (figures: AwsFigures): string => {
  const { clusters, sweeps } = costs(figures);
  const dollars = (value: number): string => `$${value.toFixed(4)}`;
  return [
    ...figures.clusters.flatMap(({ controlPlane, workers, create, delete: remove }) => [
      ...phaseLines(`create ${controlPlane}+${workers}`, create),
      ...phaseLines(`delete ${controlPlane}+${workers}`, remove),
    ]),
    `aim: at most ${AIM.createCalls} calls to create ${AIM.controlPlane}+${AIM.workers}`,
    ...figures.sweeps.map(
      ({ clusters: count, machines, calls, seconds }) =>
        `a sweep of ${count} clusters with ${machines} machines: ${awsCalls(calls)} calls in ${seconds.toFixed(1)} s`,
    ),
    ...clusters.map(
      (one) =>
        `a cluster of ${one.controlPlane}+${one.workers} costs ${dollars(one.create)} to create and ${dollars(one.delete)} to delete`,
    ),
    ...sweeps.map(
      (one) => `sweeps for ${one.clusters} clusters cost ${dollars(one.monthlyPerCluster)} a cluster and month`,
    ),
  ].join('\n');
};
