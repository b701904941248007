import { columns } from '../../describe/table.ts';
import type { FleetSweep } from './measure.ts';

const whole = (quantity = 0): string => Math.round(quantity).toLocaleString('en-US');
const perCluster = (quantity: number | undefined, clusters: number): string => ((quantity ?? 0) / clusters).toFixed(3);

const row = ({ clusters, machines, others, seconds, wallSeconds, heapMegabytes, usage }: FleetSweep): string[] => [
  ...[clusters, machines, others].map(whole),
  seconds.toFixed(1),
  wallSeconds.toFixed(1),
  whole(heapMegabytes),
  perCluster(usage.readUnits, clusters),
  perCluster(usage.gigabyteSeconds, clusters),
  whole(usage.freeCalls),
];

/** The figures for people. */
export const tableOfFleet = (sweeps: readonly FleetSweep[]): string =>
  columns(
    [
      [
        ...['CLUSTERS', 'MACHINES', 'OTHERS', 'SECONDS ON LAMBDA', 'SECONDS HERE', 'MEGABYTES'],
        ...['READ UNITS EACH', 'GB-SECONDS EACH', 'CALLS'],
      ],
      ...sweeps.map(row),
    ],
    { header: 1 },
  ).join('\n');
