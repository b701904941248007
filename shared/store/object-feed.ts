import type { Clock } from '../clock.ts';
import { ExpiredError } from '../errors.ts';
import type { KubeObject, ResourceId } from '../kube-api/object.ts';
import type { ChangeFeed, Storage, StorageEvent } from '../kube-api/storage.ts';
import type { Codec, StoredObject } from './codec.ts';
import { mapConcurrently } from './concurrency.ts';
import type { Counters } from './counter.ts';
import { statesSince } from './former-states.ts';
import { type CounterState, oldestCursor, type RecentWrite, settledUpTo } from './history.ts';
import { type ItemKey, objectKey } from './keys.ts';
import { namespaceOf } from './object-lists.ts';
import type { ObjectReads } from './object-reads.ts';

export interface FeedDependencies {
  clock: Clock;
  counters: Counters;
  codec: Codec;
  reads: ObjectReads;
}

/** How many changed keys one poll takes from the index; the rest comes with the next poll. */
const CATCH_UP_KEYS = 1000;
const PARALLEL = 8;

/** What may have changed after the cursor. */
interface Candidates {
  keys: ItemKey[];
  /** Versions with which objects of any namespace are known to be stored. */
  stored: ReadonlySet<number>;
  /** Nothing is known of versions above. */
  upTo: number;
}

const keyText = ({ pk, sk }: ItemKey): string => `${pk}/${sk}`;

/**
 * Feeds. One read of the counter shows whether anything changed, and which objects the last writes concerned; they are
 * then read from the table, with strong consistency. Only a feed that was inactive for longer queries the index by
 * version. Events are sent in the order of their versions and never before everything below is settled: therefore a
 * client can resume from every version that it has received, not only from a bookmark.
 *
 * Limits: changes of one object between two polls are merged (a removal and a new object of that name appear as the new
 * one's ADDED). A writer that died between version and object delays the events of its namespace for `SETTLE_MS`. After
 * a catch-up from the index, a change that the index shows later than `SETTLE_MS` is missed until the object's next
 * change; DynamoDB's usual lag is well below a second. So is a late write whose writer died before it gave the object a
 * newer version.
 */
export const objectFeeds = ({ clock, counters, codec, reads }: FeedDependencies): Pick<Storage, 'changes'> => {
  const candidates = async (resource: ResourceId, state: CounterState, cursor: number): Promise<Candidates> => {
    const recent = state.recent.filter(({ version }) => version > cursor);
    const keys = recent.map(({ namespace, name }) => objectKey(resource, namespace, name));
    if (recent.length === state.version - cursor) return { keys, stored: new Set(), upTo: state.version };
    const indexed = await reads.changedSince(resource, cursor, CATCH_UP_KEYS);
    return {
      keys: [...keys, ...indexed.keys],
      stored: new Set(indexed.keys.map(({ version }) => version)),
      upTo: indexed.more ? (indexed.keys.at(-1)?.version ?? cursor) : state.version,
    };
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
    if (!previous) return { type, object, uncertain: true };
    return { type, object, ...(previous.length > 0 ? { previous } : {}) };
  };

  /** The events after `cursor`, and the cursor behind them. */
  const advance = async (resource: ResourceId, namespace: string | undefined, cursor: number) => {
    const state = await counters.read(resource);
    checkAge(state, cursor);
    if (cursor === state.version) return { events: [], next: cursor };
    // Taken before the reads: a version that they do not show must have been old when they began, not when they ended.
    const now = clock.now();
    const isWanted = (its: string): boolean => namespace === undefined || namespace === its;
    const changed = await candidates(resource, state, cursor);
    const wanted = new Map(changed.keys.filter((key) => isWanted(namespaceOf(key))).map((key) => [keyText(key), key]));
    const items = await reads.getMany([...wanted.values()]);
    const versions = new Map(items.map((item) => [keyText(item), item.version]));
    const isVisible = (write: RecentWrite): boolean =>
      !isWanted(write.namespace) ||
      (versions.get(keyText(objectKey(resource, write.namespace, write.name))) ?? 0) >= write.version;
    const settled = settledUpTo(state, cursor, now, isVisible, (version) => changed.stored.has(version));
    const next = Math.min(settled, changed.upTo);
    const due = items
      .filter(({ version }) => version > cursor && version <= next)
      .sort((a, b) => a.version - b.version);
    return { events: await mapConcurrently(due, PARALLEL, (item) => toEvent(resource, item, cursor)), next };
  };

  return {
    changes: (resource, { namespace, after }): ChangeFeed => {
      let cursor = /^\d+$/.test(after) ? Number(after) : Number.NaN;
      return {
        poll: async () => {
          const { events, next } = await advance(resource, namespace, cursor);
          cursor = next;
          return events;
        },
        get resourceVersion() {
          return String(cursor);
        },
      };
    },
  };
};
