/**
 * Counts the calls that AWS's buckets accept while many clusters are created, and the share of the limits that they
 * use.
 */
import { requestBucketsOf } from '../../../../shared/aws/request-buckets.ts';
import type { GatedCall } from '../../../local/engines/wire/dispatch.ts';

export interface BucketFigures {
  bucket: string;
  calls: number;
  throttled: number;
  /** From the first call until the last call that was not throttled. */
  seconds: number;
  /** The used share of the tokens that the bucket had in that time. */
  share: number;
}

interface Counted {
  tokens: number;
  calls: number;
  throttled: number;
  from: number;
  until: number;
  capacity: number;
  refillPerSecond: number;
}

const THROTTLED: readonly (string | undefined)[] = ['RequestLimitExceeded', 'ThrottlingException'];

const figuresOf = ([bucket, counted]: [string, Counted]): BucketFigures => {
  const { tokens, calls, throttled, from, until, capacity, refillPerSecond } = counted;
  const seconds = Math.max(0, until - from) / 1000;
  return { bucket, calls, throttled, seconds, share: tokens / (capacity + seconds * refillPerSecond) };
};

/** Counts the calls of one account in one region by bucket. */
export const makeTally = () => {
  const buckets = new Map<string, Counted>();
  const none = { tokens: 0, calls: 0, throttled: 0 };
  return {
    /** `at` is in milliseconds. */
    count: ({ service, operation }: GatedCall, input: object, code: string | undefined, at: number): void => {
      const isThrottled = THROTTLED.includes(code);
      for (const { name, tokens, ...size } of requestBucketsOf(service, operation, input)) {
        const known = buckets.get(name) ?? { ...none, ...size, from: at, until: at };
        buckets.set(name, known);
        if (isThrottled) known.throttled += 1;
        else {
          known.calls += 1;
          known.tokens += tokens;
          known.until = at;
        }
      }
    },
    /** The buckets, most used first. */
    figures: (): BucketFigures[] => [...buckets].map(figuresOf).toSorted((a, b) => b.share - a.share),
  };
};
