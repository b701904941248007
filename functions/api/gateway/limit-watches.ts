import type { LimitWatches } from '../../../shared/kube-api/server/call.ts';
import { StatusError } from '../../../shared/kube-api/status-error.ts';
import type { FreeSlot, WatchSlots } from '../../../shared/store/limits/watch-slots.ts';

export interface WatchLimits {
  /** The number of watches that a principal may have open. */
  perPrincipal: number;
  /** The number of watches that all principals together may have open in this function; undefined for any number. */
  all: number | undefined;
  /** The function, if it is not the API's own: each function has its share of concurrent executions. */
  pool?: string;
}

/** Clients that are told to wait retry after this time; kubectl and client-go do so automatically. */
const RETRY_AFTER_SECONDS = 10;

const tooMany = (message: string): StatusError =>
  new StatusError(429, 'TooManyRequests', `too many watches: ${message}`, { retryAfterSeconds: RETRY_AFTER_SECONDS });

/** The pool of the principal itself, whomever it impersonates and whatever name aws-auth gives it. */
const poolOf = (principal: string): string => `of|${principal}`;

const ALL = 'all';

/**
 * Allows a watch to start if neither its principal nor the installation has too many open. A watch occupies a running
 * function for as long as it is open, even after its client has disconnected, because Lambda does not end the stream.
 * The limit therefore bounds the bill, and reserves concurrent executions for the controllers. Refuses with a
 * StatusError 429.
 */
export const makeLimitWatches =
  (slots: WatchSlots, { perPrincipal, all, pool = ALL }: WatchLimits): LimitWatches =>
  async ({ name }, seconds) => {
    const own = await slots.take(poolOf(name), perPrincipal, seconds);
    if (!own)
      throw tooMany(
        `User "${name}" has reached the limit of ${perPrincipal} open or abandoned watches (watchesPerPrincipal); close some, or wait until they end`,
      );
    const freeAll = await takeOfAll(slots, { all, pool }, seconds).catch(async (error: unknown) => {
      await own();
      throw error;
    });
    return async () => {
      await Promise.all([own(), freeAll()]);
    };
  };

const takeOfAll = async (
  slots: WatchSlots,
  { all, pool }: { all: number | undefined; pool: string },
  seconds: number,
): Promise<FreeSlot> => {
  if (all === undefined) return async () => {};
  const slot = await slots.take(pool, all, seconds);
  if (slot) return slot;
  throw tooMany(`the limit of ${all} open watches (lambdaConcurrency) is reached; try again later`);
};
