import type { Clock } from '../../clock.ts';
import { ExpiredError } from '../../errors.ts';
import type { KubeObject, ResourceId } from '../../kube-api/object.ts';
import type { ChangeFeed, Storage, StorageEvent } from '../../kube-api/storage/storage.ts';
import { mapConcurrently } from '../concurrency.ts';
import { type ItemKey, objectKey } from '../keys.ts';
import { type Codec, expandedBytes, type StoredObject } from './codec.ts';
import type { Counters } from './counter.ts';
import { resumableUpTo, statesSince } from './former-states.ts';
import { type CounterState, oldestCursor, RECENT_WRITES, type RecentWrite, settledUpTo } from './history.ts';
import { namespaceOf } from './lists.ts';
import type { ObjectReads, VersionedKey } from './reads.ts';

export interface FeedDependencies {
  clock: Clock;
  counters: Counters;
  codec: Codec;
  reads: ObjectReads;
}

/** The number of changed keys that one poll takes from the index; the next poll takes more. */
const CATCH_UP_KEYS = 1000;
const PARALLEL = 8;

/**
 * The function for watches has 128 MB. Objects are therefore read in stored form, in batches, until they exceed this
 * size. They are then expanded a few at a time, and large ones one by one, because an object of 1.5 MB of JSON may take
 * 20 MB.
 */
const MOST_READ_BYTES = 2 * 1024 * 1024;
/** The usual poll needs one batch. */
const READ_TOGETHER = RECENT_WRITES;
const MOST_EXPANDED_BYTES = 1024 * 1024;
/** The limit for an object with its previous states, each of which is converted to the version of the watch. */
const MOST_BYTES_OF_STATES = 3 * 1024 * 1024;

/** Objects that may have changed after the cursor. */
interface Candidates {
  /** Sorted by version, without duplicates. */
  keys: VersionedKey[];
  /** Versions that are known to be stored, for objects of any namespace. */
  stored: ReadonlySet<number>;
  /** Nothing is known about versions above this one. */
  upTo: number;
}

/** Objects that a feed has read and not yet returned. */
interface Advance {
  /** Sorted by version, in stored form. */
  due: StoredObject[];
  /** The cursor after them. */
  next: number;
  /** True if there may be more that could be returned already. */
  isCut: boolean;
}

const keyText = ({ pk, sk }: ItemKey): string => `${pk}/${sk}`;

/** Each key once, with its lowest version. */
const inOrder = (keys: readonly VersionedKey[]): VersionedKey[] => {
  const newestFirst = keys.toSorted((a, b) => b.version - a.version);
  return [...new Map(newestFirst.map((key) => [keyText(key), key])).values()].sort((a, b) => a.version - b.version);
};

const storedBytes = ({ body, sealed }: StoredObject): number => body.length + (sealed?.byteLength ?? 0);

/** How many of the first items are expanded together; at least one if there are any. */
const fitting = (items: readonly StoredObject[]): number => {
  let bytes = 0;
  const tooMany = items.findIndex((item, index) => {
    bytes += expandedBytes(item);
    return index > 0 && bytes > MOST_EXPANDED_BYTES;
  });
  return tooMany < 0 ? items.length : tooMany;
};

/**
 * Feeds. One read of the counter shows whether anything has changed, and which objects the last writes concerned. These
 * objects are then read from the table with strong consistency. Only a feed that was inactive for longer queries the
 * index by version. Events are sent in the order of their versions, and never before everything below is settled, so
 * that a client can resume from every version that it has received and not only from a bookmark.
 *
 * Limits: changes of one object between two polls are merged (a removal and a new object with the same name appear as
 * an ADDED of the new one). A client that breaks off between the events of one poll, or while it catches up from the
 * index, and then resumes, may not learn that an object ceased to match a selector by an earlier one of merged changes.
 * A writer that dies between taking a version and writing the object delays the events of its namespace by `SETTLE_MS`.
 * After a catch-up from the index, a change that appears in the index later than `SETTLE_MS` is missed until the
 * object's next change; DynamoDB's usual lag is well below a second. A late write is missed as well if its writer dies
 * before it has given the object a newer version.
 */
export const objectFeeds = ({ clock, counters, codec, reads }: FeedDependencies): Pick<Storage, 'changes'> => {
  const candidates = async (resource: ResourceId, state: CounterState, cursor: number): Promise<Candidates> => {
    const recent = state.recent
      .filter(({ version }) => version > cursor)
      .map(({ version, namespace, name }) => ({ ...objectKey(resource, namespace, name), version }));
    if (recent.length === state.version - cursor) {
      return { keys: inOrder(recent), stored: new Set(), upTo: state.version };
    }
    const indexed = await reads.changedSince(resource, cursor, CATCH_UP_KEYS);
    const upTo = indexed.more ? (indexed.keys.at(-1)?.version ?? cursor) : state.version;
    return {
      keys: inOrder([...indexed.keys, ...recent.filter(({ version }) => version <= upTo)]),
      stored: new Set(indexed.keys.map(({ version }) => version)),
      upTo,
    };
  };

  /** Objects in stored form, as far as the memory allows; nothing is known about versions above `upTo`. */
  const readInOrder = async (
    keys: readonly VersionedKey[],
    upTo: number,
  ): Promise<{ items: StoredObject[]; upTo: number }> => {
    const items: StoredObject[] = [];
    let bytes = 0;
    for (let first = 0; first < keys.length; first += READ_TOGETHER) {
      const unread = keys[first];
      if (unread && bytes > MOST_READ_BYTES) return { items, upTo: unread.version - 1 };
      const found = await reads.getMany(keys.slice(first, first + READ_TOGETHER));
      bytes += found.reduce((sum, item) => sum + storedBytes(item), 0);
      items.push(...found);
    }
    return { items, upTo };
  };

  const checkAge = (state: CounterState, cursor: number): void => {
    const oldest = oldestCursor(state, clock.now());
    if (cursor >= oldest && cursor <= state.version) return;
    throw new ExpiredError(`too old resource version: ${cursor} (${oldest})`);
  };

  const toEvent = async (resource: ResourceId, stored: StoredObject, cursor: number): Promise<StorageEvent> => {
    const object: KubeObject = await codec.decode(resource, stored);
    const type = stored.deletedAt !== undefined ? 'DELETED' : stored.created > cursor ? 'ADDED' : 'MODIFIED';
    const previous = statesSince(stored, object, cursor);
    if (!previous || expandedBytes(stored) * (1 + previous.length) > MOST_BYTES_OF_STATES) {
      return { type, object, uncertain: true };
    }
    return { type, object, ...(previous.length > 0 ? { previous } : {}) };
  };

  const advance = async (resource: ResourceId, namespace: string | undefined, cursor: number): Promise<Advance> => {
    const state = await counters.read(resource);
    checkAge(state, cursor);
    if (cursor === state.version) return { due: [], next: cursor, isCut: false };
    // The time is taken before the reads: a version that they do not show must have been old when they began, not when
    // they ended.
    const now = clock.now();
    const isWanted = (its: string): boolean => namespace === undefined || namespace === its;
    const changed = await candidates(resource, state, cursor);
    const wanted = changed.keys.filter((key) => isWanted(namespaceOf(key)));
    const { items, upTo } = await readInOrder(wanted, changed.upTo);
    const versions = new Map(items.map((item) => [keyText(item), item.version]));
    const isVisible = (write: RecentWrite): boolean =>
      !isWanted(write.namespace) ||
      (versions.get(keyText(objectKey(resource, write.namespace, write.name))) ?? 0) >= write.version;
    const settled = settledUpTo(state, cursor, now, isVisible, (version) => changed.stored.has(version));
    const next = resumableUpTo(items, cursor, Math.min(settled, upTo));
    const due = items
      .filter(({ version }) => version > cursor && version <= next)
      .sort((a, b) => a.version - b.version);
    return { due, next, isCut: next === upTo && upTo < state.version };
  };

  return {
    changes: (resource, { namespace, after }): ChangeFeed => {
      const start = /^\d+$/.test(after) ? Number(after) : Number.NaN;
      /** The versions in which objects were returned last. What the client knows of all others is as old as `start`. */
      const returned = new Map<string, number>();
      let read: Advance = { due: [], next: start, isCut: false };
      return {
        poll: async () => {
          if (read.due.length === 0) read = await advance(resource, namespace, read.next);
          const first = read.due.slice(0, fitting(read.due));
          const events = await mapConcurrently(first, PARALLEL, (item) =>
            toEvent(resource, item, returned.get(keyText(item)) ?? start),
          );
          for (const item of first) {
            if (item.deletedAt === undefined) returned.set(keyText(item), item.version);
            else returned.delete(keyText(item));
          }
          read = { ...read, due: read.due.slice(first.length) };
          return events;
        },
        get isBehind() {
          return read.due.length > 0 || read.isCut;
        },
        get resourceVersion() {
          const [left] = read.due;
          return String(left ? left.version - 1 : read.next);
        },
      };
    },
  };
};
