/**
 * EC2's request throttling: a bucket of request tokens for each action of an account and region, and buckets of
 * resource tokens for actions that move instances. Source: the EC2 developer guide, "Request throttling".
 */
import type { Clock } from '../../../../shared/clock.ts';
import type { Call } from '../wire/call.ts';
import { AwsFault } from '../wire/fault.ts';
import { type BucketSize, makeTokenBucket, type TokenBucket } from '../wire/token-bucket.ts';

const READING: BucketSize = { capacity: 100, refillPerSecond: 20 };
const READING_EVERYTHING: BucketSize = { capacity: 50, refillPerSecond: 10 };
const CHANGING: BucketSize = { capacity: 50, refillPerSecond: 5 };

/** Actions whose unfiltered, unpaginated form is dearer. */
const HEAVY_READS: readonly string[] = [
  'DescribeInstances',
  'DescribeInstanceStatus',
  'DescribeNetworkInterfaces',
  'DescribeSecurityGroups',
  'DescribeVolumes',
];

const RESOURCES: Readonly<Record<string, BucketSize>> = {
  RunInstances: { capacity: 1000, refillPerSecond: 2 },
  StartInstances: { capacity: 1000, refillPerSecond: 2 },
  StopInstances: { capacity: 1000, refillPerSecond: 20 },
  TerminateInstances: { capacity: 1000, refillPerSecond: 20 },
};

interface Sized {
  MaxCount?: number;
  InstanceIds?: unknown[];
  Filters?: unknown[];
  MaxResults?: number;
}

const isEverything = (input: Sized): boolean =>
  !input.Filters?.length && !input.InstanceIds?.length && input.MaxResults === undefined;

const sizeOf = (operation: string, input: Sized): BucketSize => {
  if (!/^(Describe|Get|Search|List)/.test(operation)) return CHANGING;
  return HEAVY_READS.includes(operation) && isEverything(input) ? READING_EVERYTHING : READING;
};

/** Throws RequestLimitExceeded where a call finds its bucket empty. */
export const makeEc2Throttling = (clock: Clock) => {
  const buckets = new Map<string, TokenBucket>();
  const take = (key: string, size: BucketSize, tokens: number): boolean => {
    const bucket = buckets.get(key) ?? makeTokenBucket(clock, size);
    buckets.set(key, bucket);
    return bucket.take(tokens);
  };
  return (call: Pick<Call, 'region' | 'operation'>, input: Sized): void => {
    const { region, operation } = call;
    const size = sizeOf(operation, input);
    const resources = RESOURCES[operation];
    const moved = input.MaxCount ?? input.InstanceIds?.length ?? 1;
    const passes =
      take(`${region} ${operation} ${size.capacity}`, size, 1) &&
      (!resources || take(`${region} ${operation} resources`, resources, moved));
    if (!passes) throw new AwsFault('RequestLimitExceeded', 'Request limit exceeded.', 503);
  };
};
