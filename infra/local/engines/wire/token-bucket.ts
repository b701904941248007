import type { BucketSize } from '../../../../shared/aws/request-buckets.ts';
import type { Clock } from '../../../../shared/clock.ts';

export interface TokenBucket {
  has(tokens: number): boolean;
  /** Takes `tokens` and returns true, or takes none and returns false. */
  take(tokens: number): boolean;
}

/** A token bucket that starts full and is refilled by the clock, without a timer. */
export const makeTokenBucket = (clock: Clock, { capacity, refillPerSecond }: BucketSize): TokenBucket => {
  let tokens = capacity;
  let at = clock.now().getTime();
  const has = (wanted: number): boolean => {
    const now = clock.now().getTime();
    tokens = Math.min(capacity, tokens + ((now - at) / 1000) * refillPerSecond);
    at = now;
    return tokens >= wanted;
  };
  return {
    has,
    take: (wanted) => {
      if (!has(wanted)) return false;
      tokens -= wanted;
      return true;
    },
  };
};
