import type { Clock } from '../../clock.ts';
import { ExpiredError } from '../../errors.ts';
import type { KubeObject, ResourceId } from '../../kube-api/object.ts';
import {
  type ContinueToken,
  continueAfter,
  decodeContinue,
  expiredContinue,
  isInconsistent,
} from '../../kube-api/storage/continue-token.ts';
import type { ReadBudget } from '../../kube-api/storage/read-budget.ts';
import type { ListOptions, ListResult, Storage } from '../../kube-api/storage/storage.ts';
import { mapConcurrently } from '../concurrency.ts';
import { NAMESPACES, objectKey, objectPartition, resourceKey } from '../keys.ts';
import type { Codec, StoredObject } from './codec.ts';
import type { Counters } from './counter.ts';
import { FIRST_VERSION, oldestCursor, settledUpTo } from './history.ts';
import type { ObjectReads } from './reads.ts';

export interface ListDependencies {
  clock: Clock;
  counters: Counters;
  codec: Codec;
  reads: ObjectReads;
}

/** How many namespaces are read, and how many Secrets are decrypted, concurrently. */
const PARALLEL = 8;

/** The version of lists from which no watch can start. */
const ANY_VERSION = '0';

/** Where a page starts: after this object, at the version of the first page. */
interface Position {
  namespace: string;
  name: string;
  token: ContinueToken;
}

const positionOf = (token: string, { namespace }: ListOptions): Position => {
  const decoded = decodeContinue(token);
  const { resourceVersion, after } = decoded;
  const slash = after.indexOf('/');
  const position = { namespace: after.slice(0, slash), name: after.slice(slash + 1), token: decoded };
  const isOfThisList = namespace === undefined || namespace === position.namespace;
  if (slash < 0 || !Number.isSafeInteger(Number(resourceVersion)) || !isOfThisList) {
    throw new ExpiredError('The provided continue parameter is not of this list');
  }
  return position;
};

/** A complete list without a version, for which only the objects are needed. */
const isPlain = ({ isEventual, unversioned, limit, continue: token }: ListOptions): boolean =>
  isEventual === true || (unversioned === true && !limit && token === undefined);

/** The namespace of an object follows the `|` of its partition, which neither a group nor a plural name contains. */
export const namespaceOf = ({ pk }: Pick<StoredObject, 'pk'>): string => pk.slice(pk.indexOf('|') + 1);

/**
 * Lists: pages of strongly consistent queries, at a version from which a watch reports everything that the list does
 * not show.
 */
export const objectLists = (dependencies: ListDependencies): Pick<Storage, 'list' | 'listVersion'> => {
  const { clock, counters, codec, reads } = dependencies;
  /**
   * The version of a list that is read from now on. Writes that have taken a version but are not visible yet would be
   * lost between list and watch, so the list's version stays below theirs.
   */
  const startVersion = async (resource: ResourceId, namespace: string | undefined): Promise<number> => {
    const state = await counters.read(resource);
    const now = clock.now();
    const settled = settledUpTo(state, FIRST_VERSION, now, () => false);
    const pending = state.recent.filter(
      (write) => write.version > settled && (namespace === undefined || namespace === write.namespace),
    );
    if (pending.length === 0) return settledUpTo(state, settled, now, () => true);
    const keys = new Map(pending.map((write) => [`${write.namespace}/${write.name}`, write]));
    const stored = await reads.versionsOf(
      [...keys.values()].map((write) => objectKey(resource, write.namespace, write.name)),
    );
    const versions = new Map(stored.map(({ pk, sk, version }) => [`${namespaceOf({ pk })}/${sk}`, version]));
    return settledUpTo(
      state,
      settled,
      now,
      (write) =>
        (namespace !== undefined && namespace !== write.namespace) ||
        (versions.get(`${write.namespace}/${write.name}`) ?? 0) >= write.version,
    );
  };

  const resumedVersion = async (resource: ResourceId, { token }: Position): Promise<number> => {
    const version = Number(token.resourceVersion);
    const state = await counters.read(resource);
    if (version >= oldestCursor(state, clock.now()) && version <= state.version) return version;
    throw expiredContinue(token);
  };

  /** Namespaces in order. The empty one contains cluster-scoped objects, and is the only one for Namespace objects. */
  const namespacesOf = async (
    resource: ResourceId,
    { namespace, namespaces }: ListOptions,
  ): Promise<readonly string[]> => {
    if (namespace !== undefined) return [namespace];
    if (namespaces !== undefined) return namespaces;
    if (resourceKey(resource) === resourceKey(NAMESPACES)) return [''];
    return ['', ...(await reads.namespaces())];
  };

  const readNamespace = async (
    resource: ResourceId,
    namespace: string,
    { cluster, naming, isEventual }: ListOptions,
    { after, limit }: { after?: string; limit?: number },
  ): Promise<StoredObject[]> => {
    const pk = objectPartition(resource, namespace);
    if (cluster === undefined) return reads.partition(pk, { after, limit, isEventual, naming });
    const all = await reads.ofCluster(pk, cluster);
    return all.filter(({ sk }) => after === undefined || sk > after).slice(0, limit);
  };

  /** One object more than the page contains shows that there is a next page. */
  const readPage = async (resource: ResourceId, options: ListOptions, size: number, from: Position | undefined) => {
    const found: StoredObject[] = [];
    for (const namespace of await namespacesOf(resource, options)) {
      if (from && namespace < from.namespace) continue;
      const after = from?.namespace === namespace ? from.name : undefined;
      found.push(...(await readNamespace(resource, namespace, options, { after, limit: size + 1 - found.length })));
      if (found.length > size) break;
    }
    return found;
  };

  const readAll = async (resource: ResourceId, options: ListOptions): Promise<StoredObject[]> => {
    const namespaces = await namespacesOf(resource, options);
    return (
      await mapConcurrently(namespaces, PARALLEL, (namespace) => readNamespace(resource, namespace, options, {}))
    ).flat();
  };

  const read = (resource: ResourceId, options: ListOptions, from: Position | undefined): Promise<StoredObject[]> =>
    options.limit || from
      ? readPage(resource, options, options.limit || Number.MAX_SAFE_INTEGER - 1, from)
      : readAll(resource, options);

  const decodeAll = (
    resource: ResourceId,
    stored: readonly StoredObject[],
    options: ListOptions,
  ): Promise<KubeObject[]> => mapConcurrently(stored, PARALLEL, (item) => codec.decode(resource, item, options));

  /** Reads and decodes page by page. A namespace that is left out is not read any further. */
  const readWithin = async (
    budget: ReadBudget,
    resource: ResourceId,
    namespace: string,
    { isEventual = false, naming }: ListOptions,
    items: KubeObject[],
  ): Promise<void> => {
    if (budget.isLeftOut(namespace)) return;
    for await (const page of reads.pages(objectPartition(resource, namespace), { isEventual, naming })) {
      for (const stored of page) {
        const object = await codec.decodeWithin(budget, resource, namespace, stored);
        // Also if the namespace was left out because of what another list has read in the meantime.
        if (object === undefined || budget.isLeftOut(namespace)) return;
        items.push(object);
      }
    }
  };

  const allWithin = async (budget: ReadBudget, resource: ResourceId, options: ListOptions): Promise<KubeObject[]> => {
    const releases: (() => void)[] = [];
    const found = await mapConcurrently(await namespacesOf(resource, options), PARALLEL, async (namespace) => {
      const items: KubeObject[] = [];
      releases.push(budget.hold(namespace, items));
      await readWithin(budget, resource, namespace, options, items);
      return items;
    });
    for (const release of releases) release();
    return found.flat();
  };

  /** Without a version, no counter is read. The stored items of a namespace are released after they were decoded. */
  const unversioned = async (resource: ResourceId, options: ListOptions): Promise<ListResult> => {
    const { budget } = options;
    if (budget) return { items: await allWithin(budget, resource, options), resourceVersion: ANY_VERSION };
    const found = await mapConcurrently(await namespacesOf(resource, options), PARALLEL, async (namespace) =>
      decodeAll(resource, await readNamespace(resource, namespace, options, {}), options),
    );
    return { items: found.flat(), resourceVersion: ANY_VERSION };
  };

  return {
    listVersion: async (resource, { namespace }) => String(await startVersion(resource, namespace)),
    list: async (resource, options): Promise<ListResult> => {
      if (options.cluster !== undefined && options.namespace === undefined) {
        throw new Error('a list of one cluster needs the namespace of the cluster');
      }
      if (isPlain(options)) return unversioned(resource, options);
      const from = options.continue === undefined ? undefined : positionOf(options.continue, options);
      const version =
        from && !isInconsistent(from.token)
          ? await resumedVersion(resource, from)
          : await startVersion(resource, options.namespace);
      const stored = await read(resource, options, from);
      const page = options.limit ? stored.slice(0, options.limit) : stored;
      const items = await decodeAll(resource, page, options);
      const last = page.at(-1);
      const resourceVersion = String(version);
      if (stored.length === page.length || last === undefined) return { items, resourceVersion };
      const position = { namespace: namespaceOf(last), name: last.sk };
      return { items, resourceVersion, continue: continueAfter(resourceVersion, position) };
    },
  };
};
