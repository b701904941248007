import type { ResourceId } from '../object.ts';

/** What is to be counted, and by whom: `owner` changes when a count that was kept before may be wrong. */
export interface Counted {
  resource: ResourceId;
  namespace: string;
  /** Of the quotas that limit it; what was counted for others did not see all that happened. */
  owner: string;
}

/** How many objects there are of a kind in a namespace, for kinds that a quota limits. */
export interface QuotaUsage {
  /** Counts one more, unless the limit `hard` is reached: then `used` is the count. */
  reserve(counted: Counted, hard: number): Promise<{ granted: true } | { granted: false; used: number }>;
  /** Counts one less. It went, or did not come, after `since`: where all were counted meanwhile, it may be left out. */
  release(counted: Counted, since: Date): Promise<void>;
  /** How many there are. */
  read(counted: Counted): Promise<number>;
}
