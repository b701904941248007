import type { FunctionName } from '../bundle/entries.ts';

/** The functions that hold watches open. */
type Watching = 'api' | 'watch';

/** What of an account's concurrent executions of Lambda is set aside, and how many of them watches may hold. */
export interface Concurrency {
  /** Reserved concurrency by function, which is also an upper limit; the steps share the unreserved rest. */
  reserved: Readonly<Partial<Record<FunctionName, number>>>;
  /**
   * The total number of watches of all callers that may be open in a function; empty: only those of each principal are
   * counted.
   */
  watches: Readonly<Partial<Record<FunctionName, number>>>;
  /** What the gateway admits: requests a second, and at once. */
  requests: { rate: number; burst: number };
}

/** Lambda refuses reservations that leave less than this to the functions without one. */
const LEAST_UNRESERVED = 100;

/** The rest is for the steps, and for whatever else runs in the account. */
const SHARES: Readonly<Record<Watching, number>> = { api: 0.18, watch: 0.12 };
/** Anyone on the internet can make the gateway call the authorizer. */
const AUTHORIZER_SHARE = 0.05;

/** Everyone on the internet reaches the reports of changes, and nobody waits for them: the sweep finds the same. */
const REPORTS_AT_ONCE = 2;

/** Watches leave room in the API's share for short requests. */
const WATCH_SHARE = 2 / 3;

/** What the gateway admits where Lambda's concurrency is unknown, or admits more. */
const MOST_REQUESTS = { rate: 500, burst: 1000 };

/** Most requests take well below a tenth of a second. */
const REQUESTS_PER_SECOND = 10;

/**
 * No more than `executions` can answer. API Gateway refuses the rest with 429 and `Retry-After`, and clients repeat it. When
 * Lambda refuses, clients get an error that the gateway also gives when a function failed in the middle of a request, so
 * that they must not be asked to repeat it.
 */
const requestsFor = (executions: number): Concurrency['requests'] => ({
  rate: Math.min(MOST_REQUESTS.rate, executions * REQUESTS_PER_SECOND),
  burst: Math.min(MOST_REQUESTS.burst, executions),
});

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Divides a quota of concurrent executions. Callers of the API, above all watches, must not take what the controllers
 * need; and a second sweep of a part at the same time would repeat the work of the first. If the quota is too small for
 * any reservation, watches are limited to half of it. Nothing is limited if the quota is unknown (0).
 */
export const divideConcurrency = (quota: number, sweepShards = 1): Concurrency => {
  if (quota === 0) return { reserved: {}, watches: {}, requests: MOST_REQUESTS };
  const reserved = {
    api: Math.floor(quota * SHARES.api),
    watch: Math.floor(quota * SHARES.watch),
    authorizer: Math.floor(quota * AUTHORIZER_SHARE),
    changes: REPORTS_AT_ONCE,
    drift: sweepShards,
  };
  if (sum(Object.values(reserved)) > quota - LEAST_UNRESERVED) {
    const half = Math.floor(quota / 2);
    const api = Math.max(1, Math.floor(half / 2));
    const watches = { api, watch: Math.max(1, half - api) };
    return { reserved: {}, watches, requests: requestsFor(quota - half) };
  }
  const watches = { api: Math.floor(reserved.api * WATCH_SHARE), watch: reserved.watch };
  return { reserved, watches, requests: requestsFor(reserved.api - watches.api) };
};
