/** What the buckets of AWS let pass while many clusters are created, and what of it was used. */
import { requestBucketsOf } from '../../../../shared/aws/request-buckets.ts';
import type { GatedCall } from '../../../local/engines/wire/dispatch.ts';

export interface BucketFigures {
  bucket: string;
  calls: number;
  throttled: number;
  /** From the first call to the last one that passed. */
  seconds: number;
  /** Of the tokens that the bucket had in that time, the part that was used. */
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

/** Counts the calls of an account in a region by their buckets. */
export const makeTally = () => {
  const buckets = new Map<string, Counted>();
  const none = { tokens: 0, calls: 0, throttled: 0 };
  return {
    /** `at`: milliseconds. */
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
    /** Those that were throttled or nearly exhausted, the most used first. */
    figures: (): BucketFigures[] => [...buckets].map(figuresOf).toSorted((a, b) => b.share - a.share),
  };
};
