import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';
import type { KubeObject, ResourceId } from '../object.ts';
import type { Storage } from '../storage/storage.ts';
import { QUOTAS, quotaNamesOf, readQuotaCount } from './names.ts';

/** A ResourceQuota, reduced to the field that limits counts. */
export interface Quota extends KubeObject {
  spec?: { hard?: Readonly<Record<string, unknown>> };
}

/** One limit of a quota: at most `hard` objects of the kind that `name` refers to. */
export interface Limit {
  quota: string;
  uid: string;
  name: string;
  hard: number;
}

/** Returns the limits that apply to a kind in a namespace. */
export interface Limits {
  of(resource: ResourceId, namespace: string): Promise<Limit[]>;
  /** Discards cached quotas, so that the next check reads them again. */
  forget(namespace: string): void;
}

/** How long a process caches quotas: the same time as permissions. */
const REMEMBER_MS = 10_000;
const MOST_NAMESPACES = 1_000;

/** The limits of a quota for one kind. */
export const limitsOf = ({ metadata, spec = {} }: Quota, resource: ResourceId): Limit[] =>
  quotaNamesOf(resource).flatMap((name) => {
    const hard = readQuotaCount(spec.hard?.[name]);
    return hard === undefined ? [] : [{ quota: metadata.name, uid: metadata.uid ?? '', name, hard }];
  });

/** Reads the quotas of a namespace at most every ten seconds. */
export const createLimits = ({ storage, clock }: { storage: Pick<Storage, 'list'>; clock: Clock }): Limits => {
  const remembered = new LRUCache<string, { quotas: Promise<Quota[]>; until: number }>({ max: MOST_NAMESPACES });

  const read = async (namespace: string): Promise<Quota[]> => {
    const { items } = await storage.list(QUOTAS, { namespace });
    return items as Quota[];
  };

  const quotasOf = (namespace: string): Promise<Quota[]> => {
    const now = clock.now().getTime();
    const known = remembered.get(namespace);
    if (known && known.until > now) return known.quotas;
    const quotas = read(namespace);
    remembered.set(namespace, { quotas, until: now + REMEMBER_MS });
    // A failed read is not cached; the caller gets the error.
    quotas.catch(() => remembered.delete(namespace));
    return quotas;
  };

  return {
    of: async (resource, namespace) => {
      if (quotaNamesOf(resource).length === 0) return [];
      return (await quotasOf(namespace)).flatMap((quota) => limitsOf(quota, resource));
    },
    forget: (namespace) => {
      remembered.delete(namespace);
    },
  };
};
