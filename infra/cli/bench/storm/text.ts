import { columns } from '../../describe/table.ts';
import type { LaunchFigures } from './launches.ts';
import type { StormFigures } from './measure.ts';
import type { BucketFigures } from './tally.ts';

/** Buckets of which a smaller share was used are not informative. */
const SHOWN_SHARE = 0.3;

const rowOf = ({ bucket, calls, throttled, seconds, share }: BucketFigures): string[] => [
  bucket,
  String(calls),
  String(throttled),
  seconds.toFixed(0),
  `${Math.round(share * 100)}%`,
];

/** The figures as a readable table, only with buckets of which a large share was used or that throttled calls. */
export const tableOfStorm = ({ buckets, ...figures }: StormFigures): string => {
  const shown = buckets.filter(({ share, throttled }) => share >= SHOWN_SHARE || throttled > 0);
  const { clusters, machines, seconds, failures, rateLimited, leases } = figures;
  return [
    `${clusters} clusters with ${machines} machines: ${seconds} s, ${failures} failures, ${rateLimited} reports of waiting, ${leases} leases`,
    columns([['BUCKET', 'CALLS', 'THROTTLED', 'SECONDS', 'OF WHAT IT ALLOWS'], ...shown.map(rowOf)], {
      header: 1,
    }).join('\n'),
  ].join('\n\n');
};

const launchesRow = ({
  machines,
  turns,
  seconds,
  share,
  failed,
  throttled,
  invocations,
  leases,
}: LaunchFigures): string[] => [
  String(machines),
  turns ? 'yes' : 'no',
  seconds.toFixed(0),
  `${Math.round(share * 100)}%`,
  String(failed),
  (throttled / machines).toFixed(1),
  invocations.toFixed(1),
  leases.toFixed(1),
];

/** Launches on a virtual clock, as a readable table. */
export const tableOfLaunches = (all: readonly LaunchFigures[]): string =>
  columns(
    [
      [
        'LAUNCHES',
        'TURNS',
        'SECONDS',
        'OF WHAT AWS ALLOWS',
        'GIVEN UP',
        'THROTTLED EACH',
        'INVOCATIONS EACH',
        'WRITES EACH',
      ],
      ...all.map(launchesRow),
    ],
    { header: 1 },
  ).join('\n');
