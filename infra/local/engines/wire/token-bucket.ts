import type { Clock } from '../../../../shared/clock.ts';

export interface BucketSize {
  /** The most tokens that the bucket holds; it starts full. */
  readonly capacity: number;
  readonly refillPerSecond: number;
}

export interface TokenBucket {
  /** Takes `tokens` and returns true, or takes none and returns false. */
  take(tokens: number): boolean;
}

/** A token bucket that is refilled by the clock, without a timer. */
export const makeTokenBucket = (clock: Clock, { capacity, refillPerSecond }: BucketSize): TokenBucket => {
  let tokens = capacity;
  let at = clock.now().getTime();
  return {
    take: (wanted) => {
      const now = clock.now().getTime();
      tokens = Math.min(capacity, tokens + ((now - at) / 1000) * refillPerSecond);
      at = now;
      if (tokens < wanted) return false;
      tokens -= wanted;
      return true;
    },
  };
};
