import type { FunctionName } from '../bundle/entries.ts';

/** What of an account's concurrent executions of Lambda is set aside, and how many of them watches may hold. */
export interface Concurrency {
  /** Reserved concurrency by function, which is a ceiling as well; the steps share what nobody has reserved. */
  reserved: Readonly<Partial<Record<FunctionName, number>>>;
  /** Watches that may be open at once, of all callers together; undefined: only those of one principal are counted. */
  watches: number | undefined;
}

/** Lambda refuses reservations that leave less than this to the functions without one. */
const LEAST_UNRESERVED = 100;

/** The rest is for the steps, and for whatever else runs in the account. */
const API_SHARE = 0.3;
/** Anyone on the internet can make the gateway ask the authorizer. */
const AUTHORIZER_SHARE = 0.05;

/** Watches leave room in the API's share for requests that are answered at once. */
const WATCH_SHARE = 0.8;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Divides a quota of concurrent executions. Callers of the API, watches above all, must not take what the controllers
 * need; and a second sweep of a part at the same time would do the work of the first. Where the quota is too small for any
 * reservation, watches are limited to half of it. Nothing is limited where the quota is not known (0).
 */
export const divideConcurrency = (quota: number, sweepShards = 1): Concurrency => {
  if (quota === 0) return { reserved: {}, watches: undefined };
  const reserved = {
    api: Math.floor(quota * API_SHARE),
    authorizer: Math.floor(quota * AUTHORIZER_SHARE),
    drift: sweepShards,
  };
  if (sum(Object.values(reserved)) > quota - LEAST_UNRESERVED)
    return { reserved: {}, watches: Math.max(1, Math.floor(quota / 2)) };
  return { reserved, watches: Math.floor(reserved.api * WATCH_SHARE) };
};
