import type { FunctionName } from '../bundle/entries.ts';

/** The functions that hold watches open. */
type Watching = 'api' | 'watch';

/** The part of an account's concurrent Lambda executions that is reserved, and the part of it that watches may use. */
export interface Concurrency {
  /** Reserved concurrency by function, which is also an upper limit; the steps share the unreserved rest. */
  reserved: Readonly<Partial<Record<FunctionName, number>>>;
  /**
   * The most watches of all callers together that may be open in a function; if empty, only those of each principal are
   * limited.
   */
  watches: Readonly<Partial<Record<FunctionName, number>>>;
  /** The gateway's limits: requests per second, and concurrent requests. */
  requests: { rate: number; burst: number };
}

/** Lambda refuses reservations that leave less than this for the functions without one. */
const LEAST_UNRESERVED = 100;

/** The rest is for the steps, and for everything else that runs in the account. */
const SHARES: Readonly<Record<Watching, number>> = { api: 0.18, watch: 0.12 };
/** Anyone on the internet can make the gateway call the authorizer. */
const AUTHORIZER_SHARE = 0.05;

/**
 * Anyone on the internet can call the function for change reports, and nobody waits for it: the sweep finds the same
 * changes.
 */
const REPORTS_AT_ONCE = 2;

/** Watches leave room in the API's share for short requests. */
const WATCH_SHARE = 2 / 3;

/** The gateway's limits if Lambda's concurrency is unknown or allows more. */
const MOST_REQUESTS = { rate: 500, burst: 1000 };

/** Most requests take well below a tenth of a second. */
const REQUESTS_PER_SECOND = 10;

/**
 * No more requests than `executions` can answer. API Gateway refuses the rest with 429 and `Retry-After`, and clients
 * repeat them. If Lambda refuses a request, the gateway's error is the same as after a function has failed during a
 * request, so clients must not be asked to repeat it.
 */
const requestsFor = (executions: number): Concurrency['requests'] => ({
  rate: Math.min(MOST_REQUESTS.rate, executions * REQUESTS_PER_SECOND),
  burst: Math.min(MOST_REQUESTS.burst, executions),
});

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Divides a quota of concurrent executions. Callers of the API, and above all watches, must not use up what the
 * controllers need; and two concurrent sweeps of a part would do the same work twice. If the quota is too small for any
 * reservation, watches are limited to half of it. Nothing is limited if the quota is unknown (0).
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
