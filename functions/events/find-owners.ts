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

/** The infrastructure clusters that may own what a change names; their objects say whether they do. */
export type FindOwners = (kind: Kind, change: Named) => Promise<ObjectKey[]>;

/** An object with more names, which only a user can have written, is not indexed and always returned. */
const MOST_NAMES = 1_000;

/** Which objects name a resource, as of the last poll of the feed. */
interface Index {
  feed: ChangeFeed;
  names: Map<string, readonly string[] | 'all'>;
  keys: Map<string, ObjectKey>;
  owners: Map<string, Set<string>>;
}

const textOf = ({ namespace = '', name }: KubeObject['metadata']): string => `${namespace}/${name}`;

const forget = ({ names, keys, owners }: Index, key: string): void => {
  const known = names.get(key) ?? [];
  for (const name of known === 'all' ? [] : known) {
    const left = owners.get(name);
    left?.delete(key);
    if (left?.size === 0) owners.delete(name);
  }
  names.delete(key);
  keys.delete(key);
};

const remember = (index: Index, { metadata }: KubeObject, found: readonly string[]): void => {
  const key = textOf(metadata);
  forget(index, key);
  index.keys.set(key, { namespace: metadata.namespace ?? '', name: metadata.name });
  if (found.length > MOST_NAMES) return void index.names.set(key, 'all');
  index.names.set(key, found);
  for (const name of found) index.owners.set(name, (index.owners.get(name) ?? new Set()).add(key));
};

const candidates = ({ names, keys, owners }: Index, resources: readonly string[]): ObjectKey[] => {
  const everything = [...names].flatMap(([key, known]) => (known === 'all' ? [key] : []));
  const found = new Set([...everything, ...resources.flatMap((name) => [...(owners.get(name) ?? [])])]);
  return [...found].flatMap((key) => keys.get(key) ?? []);
};

/**
 * Keeps an index of the names in infrastructure clusters for as long as the process lives. It is made of one list, and
 * then kept up to date by the feed of changes: one read of the kind's counter for each event, and one of each object
 * that was written meanwhile. Nothing is written. Calls of one process wait for each other.
 */
export const createFindOwners = ({
  storage,
  log,
}: {
  storage: Pick<Storage, 'list' | 'changes'>;
  log: Log;
}): FindOwners => {
  const indexes = new Map<string, Index>();
  let before: Promise<unknown> = Promise.resolve();

  /** An object that makes code throw is skipped. */
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

  const build = async (kind: Kind, namesIn: Named['namesIn']): Promise<Index> => {
    const { items, resourceVersion } = await storage.list(kind, {});
    const feed = storage.changes(kind, { after: resourceVersion });
    const index: Index = { feed, names: new Map(), keys: new Map(), owners: new Map() };
    for (const object of items) remember(index, object, namesOf(object, namesIn));
    indexes.set(kind.plural, index);
    return index;
  };

  const catchUp = async (index: Index, namesIn: Named['namesIn']): Promise<Index> => {
    do {
      for (const { type, object } of await index.feed.poll()) {
        if (type === 'DELETED') forget(index, textOf(object.metadata));
        else remember(index, object, namesOf(object, namesIn));
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
      // A poll that failed may have been applied in part.
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
