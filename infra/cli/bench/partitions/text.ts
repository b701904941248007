import { columns } from '../../describe/table.ts';
import type { PartitionBench } from './measure.ts';

const whole = (quantity: number): string => Math.round(quantity).toLocaleString('en-US');

/** The limit of one partition. */
const READ_UNITS_A_SECOND = 3_000;

/** A strongly consistent read unit is 4 KB. */
const MEGABYTES_A_UNIT = 4 / 1024;

const table = (head: readonly string[], rows: readonly string[][]): string =>
  columns([[...head], ...rows], { header: 1 }).join('\n');

/** The figures as readable tables. */
export const tableOfPartitions = ({ writes, namespaces, creation }: PartitionBench): string =>
  [
    table(
      ['WRITES A SECOND', 'TOGETHER', 'HOTTEST PARTITION', 'WRITE UNITS A SECOND', 'THROTTLED'],
      writes.map(({ perSecond, together, hottest, unitsPerSecond, throttled }) => [
        ...[whole(perSecond), whole(together), hottest, whole(unitsPerSecond), `${(throttled * 100).toFixed(1)}%`],
      ]),
    ),
    table(
      ['CLUSTERS', 'MACHINES', 'MEGABYTES', 'UNITS IN PAGES OF 500', 'UNITS WHOLE', 'SECONDS AT LEAST', 'ONE CLUSTER'],
      namespaces.map(({ clusters, machines, paged, whole: all, ofCluster }) => [
        ...[whole(clusters), whole(machines), whole(all * MEGABYTES_A_UNIT), whole(paged), whole(all)],
        ...[(all / READ_UNITS_A_SECOND).toFixed(1), ofCluster.toFixed(1)],
      ]),
    ),
    table(
      ['KIND', 'VERSIONS OF A CREATION'],
      creation.map(({ kind, versions }) => [kind, whole(versions)]),
    ),
  ].join('\n\n');
