import type { BucketSize } from '../request-buckets.ts';

/** Our share of a bucket of an account and region. */
export interface Budget extends BucketSize {
  /** The owner of the bucket, such as `123456789012 eu-west-1`. */
  readonly owner: string;
  readonly name: string;
}

/**
 * Tokens that a process may take: the first at `at`, in milliseconds since 1970, and another one every `every`
 * milliseconds.
 */
export interface Lease {
  readonly at: number;
  readonly every: number;
}

/**
 * Decides which process may take the tokens of a bucket, and when. The state is one number for each bucket: the time at
 * which its next token is free. A lease advances it, and tokens are never returned. If a process dies, its tokens are
 * lost, and the bucket recovers on its own, because the number depends on time and not on the completed calls.
 */
export interface Turns {
  /**
   * Leases `tokens`. Undefined if the queue is longer than `patience` milliseconds. `isEmpty`: AWS has just throttled a
   * call, so the bucket holds no saved tokens.
   */
  lease(budget: Budget, tokens: number, wish: { isEmpty: boolean; patience: number }): Promise<Lease | undefined>;
}

export const millisecondsOf = ({ refillPerSecond }: BucketSize): number => 1000 / refillPerSecond;

/** How far in the past the next free token may lie: the bucket holds no more than its capacity. */
export const savedMilliseconds = (budget: BucketSize): number => budget.capacity * millisecondsOf(budget);
