import type { Gizmo } from '../../shared/kube-api/test-kinds.ts';
import { PATH, type ToyServer, versionOf } from './toy-server.ts';

/** A watcher's view of the collection. */
export interface Watcher {
  /** The version of each existing object. */
  known: Map<string, number>;
  /** The versions from which it may restart, in order. */
  seen: number[];
  /** How often it disconnected. */
  reconnects: number;
}

interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: Gizmo;
}

/**
 * Processes one line of a watch and returns the version that the watch has reached. Throws if the version decreased.
 */
const take = ({ known, seen }: Watcher, line: string, at: number): number => {
  const { type, object } = JSON.parse(line) as WatchEvent;
  if (type === 'ERROR') throw new Error(`the watch failed: ${line}`);
  const version = versionOf(object);
  if (type === 'BOOKMARK' ? version < at : version <= at) throw new Error(`${version} came after ${at}: ${line}`);
  seen.push(version);
  if (type === 'DELETED') known.delete(object.metadata.name);
  else if (type !== 'BOOKMARK') known.set(object.metadata.name, version);
  return version;
};

/** Reads this many events or bookmarks, and disconnects. Returns the version that it reached. */
const readSome = async (server: ToyServer, watcher: Watcher, from: number, enough: number): Promise<number> => {
  const response = await server.send('GET', `${PATH}?watch=true&allowWatchBookmarks=true&resourceVersion=${from}`);
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let at = from;
  let text = '';
  let left = enough;
  while (left > 0) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    if (done) break;
    const lines = (text + decoder.decode(value, { stream: true })).split('\n');
    text = lines.pop() ?? '';
    left -= Math.max(1, lines.length);
    for (const line of lines) at = take(watcher, line, at);
  }
  await reader?.cancel();
  return at;
};

/** How many lines a watcher reads before it disconnects. */
const MOST_EVENTS = 40;
/** The most versions that a watcher goes back, and how often it does so. */
const MOST_STEPS_BACK = 60;
const SHARE_OF_STEPS_BACK = 0.3;

/**
 * A client that disconnects at random, and restarts from its last version or, as long as others write, from any version
 * that it has seen. `end` is the version at which it may stop, once it is known.
 */
export const follow = async (
  server: ToyServer,
  start: { known: Map<string, number>; version: number },
  next: () => number,
  end: () => number | undefined,
): Promise<Watcher> => {
  const watcher: Watcher = { known: new Map(start.known), seen: [start.version], reconnects: -1 };
  let at = start.version;
  while (at < (end() ?? Number.POSITIVE_INFINITY)) {
    watcher.reconnects += 1;
    // A watcher that goes back sees past states again: its knowledge of later ones is dropped.
    if (end() === undefined && next() < SHARE_OF_STEPS_BACK) {
      watcher.seen.length = Math.max(1, watcher.seen.length - Math.floor(next() * MOST_STEPS_BACK));
    }
    at = await readSome(server, watcher, watcher.seen.at(-1) ?? at, 1 + next() * MOST_EVENTS);
  }
  return watcher;
};
