import { notAcceptable } from './accept.ts';
import { type Call, namespaceOption } from './call.ts';
import { readWatchOptions } from './list-options.ts';
import { checkForm } from './present.ts';
import { readCount, readFlag } from './query.ts';
import { listAll, selectionOf } from './read.ts';
import { followChanges, type WatchPlan } from './watch-stream.ts';

const JSON_ONLY = 'only the following media types are accepted: application/json;stream=watch';

/**
 * Streams the changes of a collection as lines of JSON until the time is up; client-go then continues from the last
 * version that it has seen. Refusals before the first byte are StatusErrors; as in upstream, an expired version is an
 * ERROR event.
 */
export const watch = async (call: Call): Promise<Response> => {
  checkForm(call);
  if (call.accepted.format !== 'json') throw notAcceptable(JSON_ONLY);
  const seconds = secondsOf(call);
  // Checked before anything is read, because a caller with too many watches must not cause further cost.
  const ended = await call.openWatch(seconds);
  const left = new AbortController();
  const signal = AbortSignal.any([call.request.signal, left.signal]);
  const plan = await planWatch(call, { seconds, signal }).catch(async (error: unknown) => {
    await ended();
    throw error;
  });
  const stream = streamOf(followChanges(call, plan), { left, ended });
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' };
  return new Response(stream, { headers });
};

/** The lines as bytes. `left` aborts when the client leaves, and `ended` is called once, however the watch ends. */
const streamOf = (
  lines: AsyncGenerator<string, undefined>,
  { left, ended }: { left: AbortController; ended: () => Promise<void> },
): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  let isOver: Promise<void> | undefined;
  const end = (): Promise<void> => {
    isOver ??= ended();
    return isOver;
  };
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { value, done } = await lines.next().catch(async (error: unknown) => {
        await end();
        throw error;
      });
      if (!done) return controller.enqueue(encoder.encode(value));
      await end();
      controller.close();
    },
    cancel: async () => {
      // The stream can only end between two lines, and a quiet watch has one every ten seconds.
      left.abort();
      await lines.return(undefined);
      await end();
    },
  });
};

/** As long as the client requests, within the server's limit for clients of this type. */
const secondsOf = ({ query, watch: { maxSeconds, maxResumedSeconds = maxSeconds } }: Call): number => {
  const most = readFlag(query, 'allowWatchBookmarks') ? Math.min(maxResumedSeconds, maxSeconds) : maxSeconds;
  return Math.min(readCount(query, 'timeoutSeconds') || most, most);
};

const planWatch = async (
  call: Call,
  { seconds, signal }: Pick<WatchPlan, 'seconds' | 'signal'>,
): Promise<WatchPlan> => {
  const { query, registry, resource } = call;
  const selection = selectionOf(call);
  const { version, initial } = readWatchOptions(query);
  const bookmarks = readFlag(query, 'allowWatchBookmarks');
  const start = initial || version === undefined ? await listAll(call, selection) : undefined;
  const after = initial || version === undefined ? (start?.resourceVersion ?? '0') : version;
  return {
    selection,
    start,
    initial,
    // The mark is a bookmark, which is only sent to clients that allow bookmarks.
    markInitialEnd: initial && bookmarks,
    bookmarks,
    seconds,
    signal,
    feed: registry.changes(resource, { ...namespaceOption(call), after }),
  };
};
