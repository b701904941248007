/**
 * What a counter knows about the recent past of its resource type, and the conclusions from it. Pure.
 *
 * A write first takes a version from the counter and then puts the object, so a version may become visible after higher
 * ones, or never (the put was refused, or the writer died). A reader must not skip such a version. Therefore the
 * counter stores the object for which each of the last versions was taken. A version is *settled* when that object is
 * stored with it or a higher one, when its writer has reported that it failed, or when it is so old that no writer can
 * still be using it.
 */
export interface CounterState {
  /** The newest version that was taken. */
  version: number;
  /** The newest writes, newest first, at most `RECENT_WRITES`, without gaps: the versions are `version`, `version`-1 … */
  recent: readonly RecentWrite[];
  /** For a period that begins at `start`: the version before the first one that was taken in it. Oldest first. */
  marks: readonly Mark[];
  /** Versions whose writes were refused. */
  burnt: ReadonlySet<number>;
}

export interface RecentWrite {
  version: number;
  namespace: string;
  name: string;
  /** When the version was taken, in milliseconds since 1970, by the writer's clock. */
  at: number;
}

export interface Mark {
  start: number;
  version: number;
}

/** Versions start after this one. Clients read "0" as "any version", so an empty list needs a positive version. */
export const FIRST_VERSION = 1;

/** With 24 writes of the usual length, a counter stays near one kilobyte, the unit by which writes are billed. */
export const RECENT_WRITES = 24;

/** A write that is not visible this long after it took its version never will be: writers time out well before. */
export const SETTLE_MS = 5_000;

/** A put that completes later than this after its version was taken is repeated with a new version. */
export const LATE_MS = 2_000;

/** How long a deletion stays visible to watches. */
export const TOMBSTONE_MS = 60 * 60_000;

/**
 * The maximum age of a watch's cursor. It is shorter than the lifetime of a tombstone, by more than any difference
 * between clocks.
 */
export const RETENTION_MS = 55 * 60_000;

/**
 * For each mark, newest first: every version up to this one was taken before the mark's start. A writer reads the clock
 * before it takes a version. If its call arrives late, the version gets a time in the past, and may be the first in a
 * period before the periods of lower versions. Hence the lowest version of this mark and all later ones is used.
 */
const boundsOf = ({ version, marks }: CounterState): Mark[] => {
  let least = version;
  return marks.toReversed().map(({ start, version: own }) => {
    least = Math.min(least, own);
    return { start, version: least };
  });
};

/**
 * The highest recent version up to which none was taken after `limit`. Versions below the recent ones are older than
 * the lowest of these, unless a mark shows otherwise. 0 if the lowest one is not old itself. One case remains
 * undetected: the call that took the lowest recent version was late, and a younger version below it was taken in a
 * period that began before `limit`.
 */
const recentBefore = ({ recent, marks }: CounterState, limit: number): number => {
  const lowest = recent.at(-1);
  if (lowest === undefined || lowest.at > limit) return 0;
  if (marks.some(({ start, version }) => start > limit && version + 1 < lowest.version)) return 0;
  const young = recent.findLast(({ at }) => at > limit);
  return young ? young.version - 1 : (recent[0]?.version ?? 0);
};

/** Every version up to this one was taken longer than `SETTLE_MS` ago. */
export const settledByTime = (state: CounterState, now: Date): number => {
  const limit = now.getTime() - SETTLE_MS;
  const bound = boundsOf(state).find(({ start }) => start <= limit);
  return Math.max(FIRST_VERSION, bound?.version ?? 0, recentBefore(state, limit));
};

/** The oldest cursor that a watch may have: everything that was deleted after it still has its tombstone. */
export const oldestCursor = ({ version, marks }: CounterState, now: Date): number => {
  const limit = now.getTime() - RETENTION_MS;
  return Math.min(version, ...marks.filter(({ start }) => start >= limit).map((mark) => mark.version));
};

/**
 * The highest version up to which everything is settled. `isVisible` says for a recent write whether its object is
 * stored with its version or a higher one (or is not relevant). `isStored` says for an older version whether an object
 * has been seen with exactly that version.
 */
export const settledUpTo = (
  state: CounterState,
  from: number,
  now: Date,
  isVisible: (write: RecentWrite) => boolean,
  isStored: (version: number) => boolean = () => false,
): number => {
  const limit = now.getTime() - SETTLE_MS;
  let settled = Math.max(from, settledByTime(state, now));
  while (settled < state.version) {
    const next = settled + 1;
    const write = state.recent[state.version - next];
    const isSettled = write ? write.at <= limit || state.burnt.has(next) || isVisible(write) : isStored(next);
    if (!isSettled) break;
    settled = next;
  }
  return settled;
};
