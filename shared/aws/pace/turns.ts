import type { BucketSize } from '../request-buckets.ts';

/** A bucket of an account and region, as far as it is ours. */
export interface Budget extends BucketSize {
  /** `123456789012 eu-west-1` and the like: whose bucket it is. */
  readonly owner: string;
  readonly name: string;
}

/** Tokens that a process may take: the first at `at`, milliseconds since 1970, and one every `every` milliseconds after it. */
export interface Lease {
  readonly at: number;
  readonly every: number;
}

/**
 * Who may take the tokens of a bucket and when, over all processes. It is one number for each bucket, the time at which
 * its next token is free: a lease advances it. Nothing is returned. If a process dies, its tokens are lost, and the
 * bucket recovers on its own, because the number depends on time and not on the completed calls.
 */
export interface Turns {
  /**
   * Leases `tokens`. Undefined where others are before for longer than `patience` milliseconds. `isEmpty`: AWS was seen to
   * refuse a call just now, so that what has been saved up is not there.
   */
  lease(budget: Budget, tokens: number, wish: { isEmpty: boolean; patience: number }): Promise<Lease | undefined>;
}

export const millisecondsOf = ({ refillPerSecond }: BucketSize): number => 1000 / refillPerSecond;

/** How far in the past the next free token may be: the bucket holds no more than its capacity. */
export const savedMilliseconds = (budget: BucketSize): number => budget.capacity * millisecondsOf(budget);
