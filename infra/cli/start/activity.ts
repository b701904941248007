import type { Clock } from '../../../shared/clock.ts';
import type { Api } from '../api/client.ts';
import { makeReadAll } from '../progress/read-all.ts';
import type { ClusterSnapshot } from '../progress/snapshot.ts';
import { changesBetween } from '../progress/story.ts';

/** The time between two polls. If others can write to the table, a poll is at least one small request for each kind. */
const LOOK_MILLISECONDS = 1000;
/**
 * Polling continues for this time after a write: while writes are in progress, a list may have the version from before
 * the last of them, and would then be considered unchanged.
 */
const SETTLE_MILLISECONDS = 15_000;

const keyOf = ({ namespace, name }: ClusterSnapshot): string => `${namespace}/${name}`;

/** `14:03:59`, in the user's own time zone. */
const timeOf = (now: Date): string => now.toTimeString().slice(0, 8);

/** The changes between two polls of all clusters, one line each, with the cluster's name. */
const activityBetween = (before: readonly ClusterSnapshot[], after: readonly ClusterSnapshot[]): string[] => {
  const old = new Map(before.map((snapshot) => [keyOf(snapshot), snapshot]));
  const left = new Set(after.map(keyOf));
  return [
    ...after.flatMap((snapshot) =>
      changesBetween(old.get(keyOf(snapshot)), snapshot).map((line) => `${keyOf(snapshot)}  ${line}`),
    ),
    ...before.filter((snapshot) => !left.has(keyOf(snapshot))).map((snapshot) => `${keyOf(snapshot)}  deleted`),
  ];
};

/** The source of activity, with a counter that shows whether it must be read again. */
export interface ActivitySource {
  api: Api;
  clock: Clock;
  /** Increases with every write to the table; undefined if others may write to it as well. */
  writes(): number | undefined;
}

/** Prints the changes to all clusters, by any client, until the signal aborts. */
export const followActivity = async (
  { api, clock, writes }: ActivitySource,
  write: (line: string) => void,
  signal: AbortSignal,
) => {
  const readAll = makeReadAll(api);
  // Before the poll: writes in between cause another poll, and are not missed.
  let seen = writes();
  let seenAt = clock.now().getTime();
  let before = await readAll();
  while (!signal.aborted) {
    await clock.sleep(LOOK_MILLISECONDS, signal).catch(() => undefined);
    if (signal.aborted) return;
    const written = writes();
    const isNew = written === undefined || written !== seen;
    if (!isNew && clock.now().getTime() - seenAt > SETTLE_MILLISECONDS) continue;
    if (isNew) seenAt = clock.now().getTime();
    seen = written;
    const after = await readAll();
    if (after === before) continue;
    for (const line of activityBetween(before, after)) write(`${timeOf(clock.now())}  ${line}`);
    before = after;
  }
};
