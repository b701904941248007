import { ExpiredError } from '../../shared/errors.ts';
import type { InfrastructureCluster } from '../../shared/kinds/infrastructure.ts';
import type { KubeObject, ObjectKey } from '../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import type { ChangeFeed, Storage } from '../../shared/kube-api/storage/storage.ts';
import type { Log } from '../../shared/log.ts';
import { placeOf, safeReason } from '../../shared/safe-reason.ts';
import type { InfrastructureChange } from '../providers/event-port.ts';

type Kind = ResourceDefinition<InfrastructureCluster>;
type Named = Pick<InfrastructureChange, 'resources' | 'namesIn'>;

/**
 * Finds the infrastructure clusters that may own a resource which the change names; their objects show whether they do.
 */
export type FindOwners = (kind: Kind, change: Named) => Promise<ObjectKey[]>;

/** The number of indexed names: objects that an editor fills without limit are left to the sweep. */
export interface IndexLimits {
  /** The limit for one object; a cluster records about a hundred. */
  readonly object: number;
  /** The limit for all objects in a namespace. A name takes about 350 bytes, and the function has 512 MB. */
  readonly namespace: number;
}

const LIMITS: IndexLimits = { object: 1_000, namespace: 200_000 };

/** All objects of a page are in memory together, and each may have the maximum size. */
const PAGE = 25;

/** The resource names in each object, as of the last poll of the feed. */
interface Index {
  feed: ChangeFeed;
  names: Map<string, readonly string[]>;
  keys: Map<string, ObjectKey>;
  owners: Map<string, Set<string>>;
  /** By namespace: the number of names in all its objects, plus one for each object. */
  sizes: Map<string, number>;
}

const textOf = ({ namespace = '', name }: KubeObject['metadata']): string => `${namespace}/${name}`;

const resize = ({ sizes }: Index, namespace: string, by: number): void => {
  sizes.set(namespace, (sizes.get(namespace) ?? 0) + by);
};

const forget = (index: Index, key: string): void => {
  const { names, keys, owners } = index;
  const known = names.get(key);
  if (!known) return;
  for (const name of known) {
    const left = owners.get(name);
    left?.delete(key);
    if (left?.size === 0) owners.delete(name);
  }
  resize(index, keys.get(key)?.namespace ?? '', -known.length - 1);
  names.delete(key);
  keys.delete(key);
};

/** False for an object with too many names. */
const remember = (index: Index, { metadata }: KubeObject, found: readonly string[], limits: IndexLimits): boolean => {
  const key = textOf(metadata);
  forget(index, key);
  const { namespace = '', name } = metadata;
  const size = found.length + 1;
  if (found.length > limits.object || (index.sizes.get(namespace) ?? 0) + size > limits.namespace) return false;
  resize(index, namespace, size);
  index.keys.set(key, { namespace, name });
  index.names.set(key, found);
  for (const one of found) index.owners.set(one, (index.owners.get(one) ?? new Set()).add(key));
  return true;
};

const candidates = ({ keys, owners }: Index, resources: readonly string[]): ObjectKey[] => {
  const found = new Set(resources.flatMap((name) => [...(owners.get(name) ?? [])]));
  return [...found].flatMap((key) => keys.get(key) ?? []);
};

/**
 * Keeps an index of the names in infrastructure clusters for as long as the process lives. The index is built from one
 * list, and then follows the feed of changes: each event costs one read of the kind's counter, and one read of each
 * object written since the last event. Nothing is written, and no more than a page of objects is in memory. Concurrent
 * calls in one process wait for each other.
 */
export const createFindOwners = ({
  storage,
  log,
  limits = LIMITS,
}: {
  storage: Pick<Storage, 'list' | 'changes'>;
  log: Log;
  limits?: IndexLimits;
}): FindOwners => {
  const indexes = new Map<string, Index>();
  /** Namespaces with objects that were left out. */
  const told = new Set<string>();
  let before: Promise<unknown> = Promise.resolve();

  /** Skips an object that causes an exception. */
  const namesOf = (object: KubeObject, namesIn: Named['namesIn']): readonly string[] => {
    try {
      return namesIn(object as InfrastructureCluster);
    } catch (error) {
      const { kind, metadata } = object;
      const { namespace, name } = metadata;
      log.error(`an ${kind} was skipped`, { namespace, name, reason: safeReason(error), at: placeOf(error) });
      return [];
    }
  };

  const add = (index: Index, object: KubeObject, namesIn: Named['namesIn']): void => {
    const { kind, metadata } = object;
    const { namespace = '', name } = metadata;
    if (remember(index, object, namesOf(object, namesIn), limits) || told.has(namespace)) return;
    told.add(namespace);
    log.warn('some objects name too many resources: changes of these are left to the sweep', { kind, namespace, name });
  };

  const build = async (kind: Kind, namesIn: Named['namesIn']): Promise<Index> => {
    let page = await storage.list(kind, { limit: PAGE });
    const feed = storage.changes(kind, { after: page.resourceVersion });
    const index: Index = { feed, names: new Map(), keys: new Map(), owners: new Map(), sizes: new Map() };
    for (;;) {
      for (const object of page.items) add(index, object, namesIn);
      if (page.continue === undefined) break;
      page = await storage.list(kind, { limit: PAGE, continue: page.continue });
    }
    indexes.set(kind.plural, index);
    return index;
  };

  const catchUp = async (index: Index, namesIn: Named['namesIn']): Promise<Index> => {
    do {
      for (const { type, object } of await index.feed.poll()) {
        if (type === 'DELETED') forget(index, textOf(object.metadata));
        else add(index, object, namesIn);
      }
    } while (index.feed.isBehind);
    return index;
  };

  const current = async (kind: Kind, namesIn: Named['namesIn']): Promise<Index> => {
    const known = indexes.get(kind.plural);
    if (!known) return build(kind, namesIn);
    try {
      return await catchUp(known, namesIn);
    } catch (error) {
      // A failed poll may have been applied in part.
      indexes.delete(kind.plural);
      if (error instanceof ExpiredError) return build(kind, namesIn);
      throw error;
    }
  };

  return (kind, { resources, namesIn }) => {
    const found = before.then(async () => candidates(await current(kind, namesIn), resources));
    before = found.catch(() => undefined);
    return found;
  };
};
