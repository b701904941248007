import { columns } from '../../describe/table.ts';
import type { FleetSweep } from './measure.ts';

const whole = (quantity = 0): string => Math.round(quantity).toLocaleString('en-US');
const perCluster = (quantity: number | undefined, clusters: number): string => ((quantity ?? 0) / clusters).toFixed(3);

const row = (sweep: FleetSweep): string[] => [
  ...[sweep.clusters, sweep.machines, sweep.others, sweep.shards, sweep.swept].map(whole),
  sweep.seconds.toFixed(1),
  sweep.wallSeconds.toFixed(1),
  whole(sweep.heapMegabytes),
  perCluster(sweep.usage.readUnits, sweep.swept),
  perCluster(sweep.usage.gigabyteSeconds, sweep.swept),
  whole(sweep.usage.freeCalls),
];

/** The figures as a readable table. */
export const tableOfFleet = (sweeps: readonly FleetSweep[]): string =>
  columns(
    [
      [
        ...['CLUSTERS', 'MACHINES', 'OTHERS', 'FUNCTIONS', 'SWEPT', 'SECONDS ON LAMBDA', 'SECONDS HERE', 'MEGABYTES'],
        ...['READ UNITS EACH', 'GB-SECONDS EACH', 'CALLS'],
      ],
      ...sweeps.map(row),
    ],
    { header: 1 },
  ).join('\n');
