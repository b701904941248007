/** A cluster in its desired state must not cause costs: no more executions start for it. */
import type { World } from '../world.ts';

/** Work that the last change has started ends within this time. */
const SETTLED_MILLISECONDS = 2 * 60_000;
const QUIET_MILLISECONDS = 10 * 60_000;
/** Allows one pass, and one execution of the pool for a new bootstrap token, each possibly followed by another pass. */
const MOST_STARTS = 4;

export interface Quiet {
  /** Must be called repeatedly, with the differences from the desired state, which are only queried if necessary. */
  lacks(unmet: () => Promise<readonly string[]>): Promise<string | undefined>;
}

export const makeQuiet = ({ account, laptop }: World): Quiet => {
  let since: number | undefined;
  /** Counts only a fixed period: with a later poll, more executions would have started. */
  const startsWhileQuiet = (from: number): number =>
    laptop.runtime
      .executions()
      .map(({ startDate }) => startDate.getTime())
      .filter((at) => at > from && at <= from + QUIET_MILLISECONDS).length;
  return {
    lacks: async (unmet) => {
      const now = account.clock.now().getTime();
      if (since !== undefined && now < since + SETTLED_MILLISECONDS + QUIET_MILLISECONDS)
        return 'it is quiet for a while';
      const found = await unmet();
      if (found.length > 0) {
        since = undefined;
        return found.join('; ');
      }
      if (since === undefined) {
        since = now;
        return 'it is quiet for a while';
      }
      const starts = startsWhileQuiet(since + SETTLED_MILLISECONDS);
      if (starts <= MOST_STARTS) return undefined;
      since = undefined;
      return `${starts} executions have started within ten minutes although nothing was left to do`;
    },
  };
};
