import type { Clock } from '../../clock.ts';
import type { KubeObject, ResourceId } from '../object.ts';
import { qualified } from '../status-error.ts';
import type { Storage } from '../storage/storage.ts';
import { createLimits, type Limit, type Quota } from './limits.ts';
import { QUOTAS, readQuotaCount, resourceOfQuotaName } from './names.ts';
import { overQuota } from './refusal.ts';
import type { Counted, QuotaUsage } from './usage.ts';

export interface QuotaDependencies {
  usage: QuotaUsage;
  clock: Clock;
  /** Called when a write could not be released from the count, which stays too high until the next recount. */
  onFailure(error: unknown): void;
}

/** Errors after which nothing was stored. After any other error, the object may have been stored. */
const NOT_STORED: readonly string[] = ['AlreadyExists', 'TooLarge'];

const isQuotas = (resource: ResourceId): boolean => qualified(resource) === qualified(QUOTAS);

const countedOf = (resource: ResourceId, namespace: string, limits: readonly Limit[]): Counted => ({
  resource: { group: resource.group, plural: resource.plural },
  namespace,
  owner: [...new Set(limits.map(({ uid }) => uid))].sort().join(','),
});

/**
 * Wraps a storage to enforce ResourceQuotas for every writer: as upstream, they limit controllers as well as users. A
 * creation is counted before the object is stored and a removal after it is removed, so a crash in between leaves the
 * count too high rather than too low. The usage in a ResourceQuota's status is computed on read and never stored.
 */
export const withQuotas = (storage: Storage, { usage, clock, onFailure }: QuotaDependencies): Storage => {
  const limits = createLimits({ storage, clock });

  const inForce = async (resource: ResourceId, { metadata: { namespace } }: KubeObject) => {
    if (!namespace) return undefined;
    const found = await limits.of(resource, namespace);
    return found.length === 0 ? undefined : { found, counted: countedOf(resource, namespace, found) };
  };

  const release = (counted: Counted, since: Date): Promise<void> => usage.release(counted, since).catch(onFailure);

  /** Counts the object. Returns a function that undoes this. */
  const reserve = async (resource: ResourceId, object: KubeObject): Promise<() => Promise<void>> => {
    const quota = await inForce(resource, object);
    if (!quota) return async () => {};
    const { found, counted } = quota;
    const since = clock.now();
    const answer = await usage.reserve(counted, Math.min(...found.map(({ hard }) => hard)));
    if (!answer.granted) throw overQuota(resource, object.metadata.name, found, answer.used);
    return () => release(counted, since);
  };

  const usedOf = async (name: string, namespace: string): Promise<[string, string][]> => {
    const resource = resourceOfQuotaName(name);
    if (!resource) return [];
    const found = await limits.of(resource, namespace);
    return [[name, String(await usage.read(countedOf(resource, namespace, found)))]];
  };

  /** Returns the quota with its current usage. */
  const shown = async <T extends KubeObject>(object: T): Promise<T> => {
    const hard = (object as Quota).spec?.hard ?? {};
    const names = Object.keys(hard).filter((name) => readQuotaCount(hard[name]) !== undefined);
    const used = await Promise.all(names.map((name) => usedOf(name, object.metadata.namespace ?? '')));
    return { ...object, status: { hard, used: Object.fromEntries(used.flat()) } };
  };

  const forgetIfQuota = (resource: ResourceId, { metadata }: KubeObject): void => {
    if (isQuotas(resource)) limits.forget(metadata.namespace ?? '');
  };

  return {
    get: async (resource, namespace, name, options) => {
      const found = await storage.get(resource, namespace, name, options);
      return found && isQuotas(resource) ? shown(found) : found;
    },
    list: async (resource, options) => {
      const found = await storage.list(resource, options);
      return isQuotas(resource) ? { ...found, items: await Promise.all(found.items.map(shown)) } : found;
    },
    latestVersion: (resource) => storage.latestVersion(resource),
    listVersion: (resource, options) => storage.listVersion(resource, options),
    changes: (resource, options) => {
      const feed = storage.changes(resource, options);
      if (!isQuotas(resource)) return feed;
      return {
        poll: async () =>
          Promise.all((await feed.poll()).map(async (event) => ({ ...event, object: await shown(event.object) }))),
        get isBehind() {
          return feed.isBehind;
        },
        get resourceVersion() {
          return feed.resourceVersion;
        },
      };
    },
    create: async (resource, object, cluster, formerOf) => {
      const takeBack = await reserve(resource, object);
      try {
        return await storage.create(resource, object, cluster, formerOf);
      } catch (error) {
        if (error instanceof Error && NOT_STORED.includes(error.name)) await takeBack();
        throw error;
      } finally {
        forgetIfQuota(resource, object);
      }
    },
    update: async (resource, object, cluster, former) => {
      const stored = await storage.update(resource, object, cluster, former);
      forgetIfQuota(resource, object);
      return stored;
    },
    remove: async (resource, object) => {
      const quota = await inForce(resource, object);
      const since = clock.now();
      const removed = await storage.remove(resource, object);
      forgetIfQuota(resource, object);
      if (quota) await release(quota.counted, since);
      return removed;
    },
    checkCreate: async (resource, object) => {
      const quota = await inForce(resource, object);
      if (!quota) return;
      const used = await usage.read(quota.counted);
      if (quota.found.some(({ hard }) => hard <= used))
        throw overQuota(resource, object.metadata.name, quota.found, used);
    },
  };
};
