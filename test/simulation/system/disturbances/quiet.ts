/** A cluster in its desired state costs nothing: nothing is started for it any more. */
import type { World } from '../world.ts';

/** Until work has ended that the last change has started. */
const SETTLED_MILLISECONDS = 2 * 60_000;
const QUIET_MILLISECONDS = 10 * 60_000;
/** A pass, and one execution of the pool, for a new bootstrap token; each of them may be followed by another pass. */
const MOST_STARTS = 4;

export interface Quiet {
  /** To be called again and again with what is unmet, which is queried only if that is necessary. */
  lacks(unmet: () => Promise<readonly string[]>): Promise<string | undefined>;
}

export const makeQuiet = ({ account, laptop }: World): Quiet => {
  let since: number | undefined;
  /** Not up to now: the later the next poll, the more would have started. */
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
