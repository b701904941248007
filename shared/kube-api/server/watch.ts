import { badRequest, invalid, type StatusError } from '../status-error.ts';
import type { Call } from './call.ts';
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
  const version = readVersion(query);
  const bookmarks = readFlag(query, 'allowWatchBookmarks');
  const streamed = readInitialEvents(query);
  // Without a version, or with 0 for "any", the objects that exist come first.
  const initial = streamed ?? version === undefined;
  const start = initial || version === undefined || selection.changing ? await listAll(call, selection) : undefined;
  const after = initial || version === undefined ? (start?.resourceVersion ?? '0') : version;
  return {
    selection,
    start,
    initial,
    // The mark is a bookmark, which only those are sent who allow them.
    markInitialEnd: streamed === true && bookmarks,
    bookmarks,
    seconds: Math.min(readCount(query, 'timeoutSeconds') || settings.maxSeconds, settings.maxSeconds),
    feed: registry.changes(resource, { ...namespaceOption(call), after }),
  };
};

const readVersion = (query: URLSearchParams): string | undefined => {
  const version = query.get('resourceVersion') || '0';
  if (!/^\d{1,15}$/.test(version)) throw badRequest(`Invalid value for resourceVersion: ${JSON.stringify(version)}`);
  return version === '0' ? undefined : version;
};

/** WatchList: `sendInitialEvents` and `resourceVersionMatch` go together. */
const readInitialEvents = (query: URLSearchParams): boolean | undefined => {
  const send = query.get('sendInitialEvents') || undefined;
  const match = query.get('resourceVersionMatch') || undefined;
  if (send !== undefined && match !== 'NotOlderThan') {
    throw misuse('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  }
  if (send === undefined && match !== undefined) {
    throw misuse('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
  }
  return send === undefined ? undefined : readFlag(query, 'sendInitialEvents');
};

const misuse = (detail: string): StatusError =>
  invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [
    { type: 'FieldValueForbidden', field: 'resourceVersionMatch', detail },
  ]);
