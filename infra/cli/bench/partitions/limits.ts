/** DynamoDB's limits of one partition, as AWS enforces them. DynamoDB Local and dynalite have no limits. */
import type { Clock } from '../../../../shared/clock.ts';

export type Kind = 'read' | 'write';

/**
 * Units per second of a partition. Source: Amazon DynamoDB Developer Guide, "Best practices for designing and using
 * partition keys effectively". Unused units of past minutes, which AWS may grant for a burst, are ignored.
 */
const LIMITS: Readonly<Record<Kind, number>> = { read: 3_000, write: 1_000 };

export interface PartitionFigures {
  partition: string;
  kind: Kind;
  units: number;
}

interface Bucket extends PartitionFigures {
  left: number;
  at: number;
}

/** The error as the SDK reports it. */
const refused = (partition: string): Error =>
  Object.assign(new Error(`Throughput exceeds the limit of the partition ${partition}`), {
    name: 'ThrottlingException',
    $metadata: { httpStatusCode: 400 },
  });

/**
 * One bucket for each partition and kind, with the units of one second. The units of a request are only known
 * afterwards.
 */
export const makePartitionLimits = ({ now }: Pick<Clock, 'now'>) => {
  const buckets = new Map<string, Bucket>();

  const bucketOf = (kind: Kind, partition: string): Bucket => {
    const at = now().getTime();
    const known = buckets.get(`${kind} ${partition}`) ?? { partition, kind, units: 0, left: LIMITS[kind], at };
    const left = Math.min(LIMITS[kind], known.left + ((at - known.at) / 1000) * LIMITS[kind]);
    const bucket = { ...known, left, at };
    buckets.set(`${kind} ${partition}`, bucket);
    return bucket;
  };

  return {
    /** Throws if one of the partitions has no units left. */
    admit: (kind: Kind, partitions: readonly string[]): void => {
      const empty = partitions.find((partition) => bucketOf(kind, partition).left <= 0);
      if (empty !== undefined) throw refused(empty);
    },
    charge: (kind: Kind, partition: string, units: number): void => {
      const bucket = bucketOf(kind, partition);
      const after = { ...bucket, left: bucket.left - units, units: bucket.units + units };
      buckets.set(`${kind} ${partition}`, after);
    },
    /** The units used in each partition, most first. */
    figures: (): PartitionFigures[] =>
      [...buckets.values()]
        .map(({ partition, kind, units }) => ({ partition, kind, units }))
        .sort((a, b) => b.units - a.units),
  };
};

export type PartitionLimits = ReturnType<typeof makePartitionLimits>;

/** Counts without refusing anything. */
export const withoutRefusals = (limits: PartitionLimits): PartitionLimits => ({ ...limits, admit: () => {} });
