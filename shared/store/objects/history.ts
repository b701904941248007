/**
 * What a counter knows about the recent past of its resource type, and what follows from it. Pure.
 *
 * A write takes a version from the counter first and puts the object second, so a version may become visible after
 * higher ones, or never (the put was refused, the writer died). A reader must not skip such a version. Therefore the
 * counter stores for which object each of the last versions was taken: a version is *settled* when that object is
 * stored with it or a higher one, when its writer has reported that it failed, or when it is so old that no writer can
 * be using it any more.
 */
export interface CounterState {
  /** The newest version that was taken. */
  version: number;
  /** The newest writes, newest first, at most `RECENT_WRITES`, without gaps: the versions are `version`, `version`-1 … */
  recent: readonly RecentWrite[];
  /** For a bucket of time that begins at `start`: the version before the first that was taken in it. Oldest first. */
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

/** Versions start after this one: clients read "0" as "any version", so an empty list needs a positive one. */
export const FIRST_VERSION = 1;

/** With 24 writes of the usual length, a counter stays near one kilobyte, the unit that a write is billed by. */
export const RECENT_WRITES = 24;

/** A write that is not visible this long after it took its version never will be: writers time out well before. */
export const SETTLE_MS = 5_000;

/** A put that comes later than this after its version was taken is done again with a new version. */
export const LATE_MS = 2_000;

/** How long a deletion stays visible to watches. */
export const TOMBSTONE_MS = 60 * 60_000;

/** How old a watch's cursor may be: shorter than a tombstone is kept, by more than any difference between clocks. */
export const RETENTION_MS = 55 * 60_000;

/**
 * For each mark, newest first: every version up to this one was taken before its start. A writer reads the clock before
 * it takes a version. If its call arrives late, the version gets a time that is past, and may be the first in a bucket
 * before those of lower versions. Hence the least version of this mark and all later ones.
 */
const boundsOf = ({ version, marks }: CounterState): Mark[] => {
  let least = version;
  return marks.toReversed().map(({ start, version: own }) => {
    least = Math.min(least, own);
    return { start, version: least };
  });
};

/**
 * The highest recent version up to which none was taken after `limit`: those below the recent ones are older than the
 * lowest of these, unless a mark shows otherwise. 0 if that is not old itself. One case goes unnoticed: the call that took
 * the lowest recent version was late, and a younger version below it was taken in a bucket that began before `limit`.
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

/** The oldest cursor that a watch may have: whatever was deleted after it still has its tombstone. */
export const oldestCursor = ({ version, marks }: CounterState, now: Date): number => {
  const limit = now.getTime() - RETENTION_MS;
  return Math.min(version, ...marks.filter(({ start }) => start >= limit).map((mark) => mark.version));
};

/**
 * The highest version up to which everything is settled. `isVisible` says for a recent write whether its object is
 * stored with its version or a higher one (or is of no interest); `isStored` says for an older version whether an object
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
