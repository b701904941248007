import { AlreadyExistsError, ConflictError, ExpiredError, NotFoundError } from '../../errors.ts';
import { copyJson, freezeJson } from '../json.ts';
import type { KubeObject, ResourceId } from '../object.ts';
import { decodeContinue, encodeContinue, expiredContinue, isInconsistent } from './continue-token.ts';
import type { ReadBudget } from './read-budget.ts';
import type { ChangeFeed, ListOptions, ListResult, Storage, StorageEvent } from './storage.ts';

interface Entry {
  object: KubeObject;
  cluster: string | undefined;
}

/** The stored data of one resource type. `version` starts at 1, because clients read "0" as "any version". */
interface Shelf {
  version: number;
  entries: Map<string, Entry>;
  events: { version: number; event: StorageEvent }[];
  /** The version of the newest event that was dropped from `events`; a feed cannot start before it. */
  forgotten: number;
}

const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;
const keyOfObject = (object: KubeObject): string => keyOf(object.metadata.namespace ?? '', object.metadata.name);

/**
 * Objects are copied when they are stored, and then frozen: no caller can change a stored object, and all callers share
 * it. A copy for each reader took a fifth of the time of a simulation.
 */
const withVersion = (object: KubeObject, version: number): KubeObject => {
  const copy = copyJson(object) as KubeObject;
  copy.metadata.resourceVersion = String(version);
  return freezeJson(copy);
};

const label = (resource: ResourceId): string =>
  resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;

/**
 * The initial content of a storage: an object, or only the version of an earlier change, after which no version is
 * assigned again.
 */
interface Restored {
  resource: ResourceId;
  version: number;
  object?: KubeObject;
  cluster?: string | undefined;
}

/**
 * Storage in the memory of this process: the etcd of a simulated workload cluster, and the reference for other
 * storages. A feed can return the last `keepEvents` changes of a resource type.
 */
export const createMemoryStorage = ({
  keepEvents = 10_000,
  restored = [],
}: {
  keepEvents?: number;
  restored?: readonly Restored[];
} = {}): Storage => {
  const shelves = new Map<string, Shelf>();
  const shelfOf = (resource: ResourceId): Shelf => {
    const key = label(resource);
    const shelf = shelves.get(key) ?? { version: 1, entries: new Map(), events: [], forgotten: 0 };
    shelves.set(key, shelf);
    return shelf;
  };

  for (const { resource, version, object, cluster } of restored) {
    const shelf = shelfOf(resource);
    shelf.version = Math.max(shelf.version, version);
    shelf.forgotten = shelf.version;
    if (object) shelf.entries.set(keyOfObject(object), { object: freezeJson(object), cluster });
  }

  const record = (shelf: Shelf, type: StorageEvent['type'], object: KubeObject): KubeObject => {
    shelf.version += 1;
    const stored = withVersion(object, shelf.version);
    const previous = shelf.entries.get(keyOfObject(object))?.object;
    shelf.events.push({
      version: shelf.version,
      event: { type, object: stored, ...(previous ? { previous: [previous] } : {}) },
    });
    if (shelf.events.length > keepEvents) shelf.forgotten = shelf.events.shift()?.version ?? shelf.forgotten;
    return stored;
  };

  const current = (resource: ResourceId, object: KubeObject): Shelf => {
    const shelf = shelfOf(resource);
    const entry = shelf.entries.get(keyOfObject(object));
    if (!entry) throw new NotFoundError(`${label(resource)} "${object.metadata.name}" not found`);
    if (entry.object.metadata.resourceVersion !== object.metadata.resourceVersion) {
      throw new ConflictError(`${label(resource)} "${object.metadata.name}": a newer version is stored`);
    }
    return shelf;
  };

  const put = (shelf: Shelf, type: 'ADDED' | 'MODIFIED', object: KubeObject, cluster: string | undefined) => {
    const stored = record(shelf, type, object);
    shelf.entries.set(keyOfObject(object), { object: stored, cluster });
    return stored;
  };

  return {
    get: async (resource, namespace, name) => shelfOf(resource).entries.get(keyOf(namespace, name))?.object,
    list: async (resource, options) => within(options.budget, listShelf(shelfOf(resource), options)),
    create: async (resource, object, cluster) => {
      const shelf = shelfOf(resource);
      if (shelf.entries.has(keyOfObject(object))) {
        throw new AlreadyExistsError(`${label(resource)} "${object.metadata.name}" already exists`);
      }
      return put(shelf, 'ADDED', object, cluster);
    },
    update: async (resource, object, cluster) => put(current(resource, object), 'MODIFIED', object, cluster),
    remove: async (resource, object) => {
      const shelf = current(resource, object);
      const removed = record(shelf, 'DELETED', object);
      shelf.entries.delete(keyOfObject(object));
      return removed;
    },
    latestVersion: async (resource) => String(shelfOf(resource).version),
    listVersion: async (resource) => String(shelfOf(resource).version),
    changes: (resource, { namespace, after }) => feedOf(shelfOf(resource), namespace, Number(after)),
  };
};

const isListed = ({ object, cluster }: Entry, options: ListOptions): boolean =>
  (options.namespace === undefined || (object.metadata.namespace ?? '') === options.namespace) &&
  (options.namespaces === undefined || options.namespaces.includes(object.metadata.namespace ?? '')) &&
  (options.cluster === undefined || cluster === options.cluster);

/**
 * Keys are sorted by namespace, then name: `/` (0x2f) would be sorted after `-` and `.`, so it is compared as the
 * lowest character.
 */
const sortKey = (key: string): string => key.replace('/', '\u0000');

const storedKey = (key: string): string => key.replace('\u0000', '/');

/**
 * Reading objects that are in memory takes no memory. They are charged all the same, as in a storage that decodes them.
 */
const within = (budget: ReadBudget | undefined, found: ListResult): ListResult => {
  if (!budget) return found;
  const namespaceOf = ({ metadata }: KubeObject): string => metadata.namespace ?? '';
  for (const item of found.items) budget.admit(namespaceOf(item), item);
  return { ...found, items: found.items.filter((item) => !budget.isLeftOut(namespaceOf(item))) };
};

const listShelf = (shelf: Shelf, options: ListOptions): ListResult => {
  const from = options.continue === undefined ? undefined : decodeContinue(options.continue);
  const keys = [...shelf.entries]
    .filter(([, entry]) => isListed(entry, options))
    .map(([key]) => sortKey(key))
    .filter((key) => from === undefined || key > sortKey(from.after))
    .sort((a, b) => (a < b ? -1 : 1));
  const page = options.limit ? keys.slice(0, options.limit) : keys;
  // Later pages show later states, so a watch must start at the first page's version.
  const resourceVersion = from && !isInconsistent(from) ? from.resourceVersion : String(shelf.version);
  if (Number(resourceVersion) < shelf.forgotten && from) throw expiredContinue(from);
  const last = page.at(-1);
  const items = page.flatMap((key) => shelf.entries.get(storedKey(key))?.object ?? []);
  const rest = keys.length - page.length;
  return {
    items,
    resourceVersion,
    ...(rest > 0 && last !== undefined
      ? { continue: encodeContinue({ resourceVersion, after: storedKey(last) }), remainingItemCount: rest }
      : {}),
  };
};

const feedOf = (shelf: Shelf, namespace: string | undefined, after: number): ChangeFeed => {
  let cursor = after;
  return {
    poll: async () => {
      if (!Number.isSafeInteger(cursor) || cursor < shelf.forgotten || cursor > shelf.version) {
        throw new ExpiredError(`too old resource version: ${cursor} (${shelf.version})`);
      }
      const events = since(shelf.events, cursor).filter(
        ({ event }) => namespace === undefined || (event.object.metadata.namespace ?? '') === namespace,
      );
      cursor = shelf.version;
      return events.map(({ event }) => event);
    },
    isBehind: false,
    get resourceVersion() {
      return String(cursor);
    },
  };
};

/** Versions are consecutive, so the position of the first event after `cursor` is known without a search. */
const since = (events: Shelf['events'], cursor: number): Shelf['events'] => {
  const first = events[0];
  return first === undefined ? [] : events.slice(Math.max(0, cursor - first.version + 1));
};
