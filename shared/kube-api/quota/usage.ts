import type { ResourceId } from '../object.ts';

/** Identifies a count. A count that was kept for another `owner` may be wrong. */
export interface Counted {
  resource: ResourceId;
  namespace: string;
  /** The uids of the quotas that limit the kind. A count that was kept for other quotas may have missed writes. */
  owner: string;
}

/** Counts the objects of a kind in a namespace, for kinds that a quota limits. */
export interface QuotaUsage {
  /** Adds one to the count, unless it has reached the limit `hard`; then `used` is the count. */
  reserve(counted: Counted, hard: number): Promise<{ granted: true } | { granted: false; used: number }>;
  /**
   * Subtracts one from the count. The object was removed, or not stored, after `since`; a recount since then may
   * already reflect that, so the release may then be skipped.
   */
  release(counted: Counted, since: Date): Promise<void>;
  /** Returns the count. */
  read(counted: Counted): Promise<number>;
}
