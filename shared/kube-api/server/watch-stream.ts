import { apiVersionOf } from '../decode.ts';
import type { JsonObject } from '../json.ts';
import type { KubeObject } from '../object.ts';
import { failure } from '../status-error.ts';
import type { ChangeFeed, ListResult, StorageEvent } from '../storage/storage.ts';
import type { Call } from './call.ts';
import { presentObject } from './present.ts';
import type { Selection } from './read.ts';
import { createVisibility, type Visibility } from './watch-visibility.ts';

const KEEP_ALIVE_MILLISECONDS = 10_000;
/**
 * Signals that the stream is alive; it precedes the next event on the same line. A separate line would not work: some
 * clients take each line for an event, and the Python client fails at an empty one.
 */
const KEEP_ALIVE = ' ';
const BOOKMARK_MILLISECONDS = 60_000;

/** Marks the bookmark after which a WatchList client has every object that existed when it began. */
const INITIAL_EVENTS_END = { 'k8s.io/initial-events-end': 'true' };

export interface WatchPlan {
  selection: Selection;
  /** The matching objects at the start of the watch, if they are needed. */
  start: ListResult | undefined;
  /** Whether these are sent first. */
  initial: boolean;
  markInitialEnd: boolean;
  bookmarks: boolean;
  seconds: number;
  /** Aborted when the client leaves. */
  signal: AbortSignal;
  feed: ChangeFeed;
}

/** The lines of a watch. Never throws: an error becomes an ERROR event, after which the stream ends. */
export async function* followChanges(call: Call, plan: WatchPlan): AsyncGenerator<string, undefined> {
  const frames = createFrames(call);
  // Immediately, because proxies send the headers with the first byte.
  yield KEEP_ALIVE;
  try {
    if (plan.initial) for (const object of plan.start?.items ?? []) yield frames.event({ type: 'ADDED', object });
    if (plan.markInitialEnd) yield frames.bookmark(plan.feed.resourceVersion, INITIAL_EVENTS_END);
    const isComplete = yield* pollChanges(call, plan, frames);
    // The client's next watch starts here, so that a kind with few changes does not run into an expired version.
    if (plan.bookmarks && isComplete) yield frames.bookmark(plan.feed.resourceVersion);
  } catch (error) {
    if (!plan.signal.aborted) yield frames.error(error);
  }
  return undefined;
}

/**
 * The lines of all polls. Returns false if changes were left out because the definition of the resource has changed: as
 * in upstream, the watch ends, and the client's next one sends them in the new form.
 */
async function* pollChanges(call: Call, plan: WatchPlan, frames: Frames): AsyncGenerator<string, boolean> {
  const { clock } = call;
  const visible = createVisibility(plan.selection, plan.initial ? (plan.start?.items ?? []) : undefined);
  const pace = createPace(call);
  const end = clock.now().getTime() + plan.seconds * 1000;
  for (;;) {
    const polled = yield* pollOnce(call, plan.feed, visible, frames);
    if (!polled) return false;
    const { changes, events } = polled;
    pace.saw(changes);
    const left = end - clock.now().getTime();
    if (left <= 0 || plan.signal.aborted) return true;
    if (plan.bookmarks && pace.bookmarkIsDue()) yield frames.bookmark(plan.feed.resourceVersion);
    else if (pace.lineIsDue(events > 0)) yield KEEP_ALIVE;
    if (!plan.feed.isBehind) await clock.sleep(Math.min(pace.pollMilliseconds(), left), plan.signal);
  }
}

/**
 * The lines of one poll; returns undefined if its changes must not be sent. At the next poll nothing refers to its
 * objects any more, so that large ones are only in memory once.
 */
async function* pollOnce(
  call: Call,
  feed: ChangeFeed,
  visible: Visibility,
  frames: Frames,
): AsyncGenerator<string, { changes: number; events: number } | undefined> {
  const changes = await feed.poll();
  if (changes.length > 0 && (await call.isRedefined())) return undefined;
  let events = 0;
  for (const change of changes) {
    const event = visible(change);
    if (!event) continue;
    events += 1;
    yield frames.event(event);
  }
  return { changes: changes.length, events };
}

/** Whether it is time for a keep-alive or a bookmark, and how long to wait for the next poll. */
const createPace = ({ clock, watch }: Call) => {
  const { keepAliveMilliseconds = KEEP_ALIVE_MILLISECONDS, quiet } = watch;
  let lastLine = clock.now().getTime();
  let lastBookmark = lastLine;
  let lastChange = lastLine;
  return {
    saw: (changes: number): void => {
      if (changes > 0) lastChange = clock.now().getTime();
    },
    pollMilliseconds: (): number => {
      const isQuiet = quiet !== undefined && clock.now().getTime() - lastChange >= quiet.afterMilliseconds;
      return isQuiet ? quiet.pollMilliseconds : watch.pollMilliseconds;
    },
    bookmarkIsDue: (): boolean => {
      const now = clock.now().getTime();
      if (now - lastBookmark < BOOKMARK_MILLISECONDS) return false;
      lastBookmark = now;
      return true;
    },
    lineIsDue: (wrote: boolean): boolean => {
      const now = clock.now().getTime();
      const due = !wrote && now - lastLine >= keepAliveMilliseconds;
      if (wrote || due) lastLine = now;
      return due;
    },
  };
};

type Frames = ReturnType<typeof createFrames>;

/**
 * Writes events in the form that the client requested. As in upstream, a Table only has its columns in the first event.
 */
const createFrames = (call: Call) => {
  let definitions = true;
  const frame = (type: string, object: unknown): string => `${JSON.stringify({ type, object })}\n`;
  const present = (object: KubeObject): unknown => {
    const presented = presentObject(call, object, { definitions });
    definitions = false;
    return presented;
  };
  return {
    event: ({ type, object }: StorageEvent): string => frame(type, present(object)),
    bookmark: (resourceVersion: string, annotations?: JsonObject): string => {
      const object = bookmarkObject(call, { resourceVersion, ...(annotations ? { annotations } : {}) });
      return frame('BOOKMARK', present(object as unknown as KubeObject));
    },
    error: (error: unknown): string => frame('ERROR', failure(call.toFailure(error))),
  };
};

/** An object of the kind that only has a version; in a table, an empty row. */
const bookmarkObject = ({ resource }: Call, metadata: JsonObject): JsonObject => ({
  kind: resource.kind,
  apiVersion: apiVersionOf(resource),
  metadata,
});
