import { columns } from '../../describe/table.ts';
import type { StormFigures } from './measure.ts';
import type { BucketFigures } from './tally.ts';

/** Buckets that were far from empty say nothing. */
const SHOWN_SHARE = 0.3;

const rowOf = ({ bucket, calls, throttled, seconds, share }: BucketFigures): string[] => [
  bucket,
  String(calls),
  String(throttled),
  seconds.toFixed(0),
  `${Math.round(share * 100)}%`,
];

/** The figures for people: of the buckets those that were used for a good part, or that throttled. */
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
