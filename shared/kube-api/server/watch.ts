import type { Call } from './call.ts';
import { readWatchOptions } from './list-options.ts';
import { readCount, readFlag } from './query.ts';
import { listAll, namespaceOption, selectionOf } from './read.ts';
import { followChanges, type WatchPlan } from './watch-stream.ts';

/**
 * Streams the changes of a collection as lines of JSON until the time is up; client-go then asks again from the last
 * version it saw. Refusals are StatusErrors before the first byte; an expired version is an ERROR event, as upstream.
 */
export const watch = async (call: Call): Promise<Response> => {
  const plan = await planWatch(call);
  const encoder = new TextEncoder();
  const lines = followChanges(call, plan);
  const stream = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { value, done } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => {
      await lines.return(undefined);
    },
  });
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' };
  return new Response(stream, { headers });
};

const planWatch = async (call: Call): Promise<WatchPlan> => {
  const { query, watch: settings, registry, resource } = call;
  const selection = selectionOf(call);
  const { version, initial } = readWatchOptions(query);
  const bookmarks = readFlag(query, 'allowWatchBookmarks');
  const start = initial || version === undefined || selection.changing ? await listAll(call, selection) : undefined;
  const after = initial || version === undefined ? (start?.resourceVersion ?? '0') : version;
  return {
    selection,
    start,
    initial,
    // The mark is a bookmark, which only those are sent who allow them.
    markInitialEnd: initial && bookmarks,
    bookmarks,
    seconds: Math.min(readCount(query, 'timeoutSeconds') || settings.maxSeconds, settings.maxSeconds),
    feed: registry.changes(resource, { ...namespaceOption(call), after }),
  };
};
