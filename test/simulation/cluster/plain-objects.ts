import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../../shared/clock.ts';
import { formatTime, type KubeObject, lookUp, type ObjectKey, type Target } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';

/**
 * Objects in memory with the rules of the API on which controllers rely, but without schemas, which makes them about
 * thirty times as fast.
 */
export interface PlainObjects extends ObjectClient {
  /**
   * All objects of a kind, immediately and without calling `beside`: for the judge, and for changes that controllers do
   * not make.
   */
  all<T extends KubeObject>(resource: ResourceDefinition<T>): T[];
  /** Changes an object without a controller. */
  put<T extends KubeObject>(resource: ResourceDefinition<T>, name: string, change: (current: T) => T): void;
  create<T extends KubeObject>(resource: ResourceDefinition<T>, object: T): T;
  remove<T extends KubeObject>(resource: ResourceDefinition<T>, name: string): void;
}

const NAMESPACE = 'default';

interface Options {
  clock: Clock;
  /** Called before each access by a controller; disturbances happen here. */
  beside: () => void;
}

const isOwnedByNone = ({ metadata }: KubeObject, uids: ReadonlySet<string>): boolean =>
  metadata.ownerReferences !== undefined &&
  metadata.ownerReferences.length > 0 &&
  metadata.ownerReferences.every(({ uid }) => !uids.has(uid));

/** Stores the objects of one namespace. */
export const makePlainObjects = ({ clock, beside }: Options): PlainObjects => {
  const kinds = new Map<string, Map<string, KubeObject>>();
  let version = 0;
  const next = () => {
    version += 1;
    return version;
  };
  const of = ({ plural, group }: { plural: string; group: string }): Map<string, KubeObject> => {
    const id = `${group}/${plural}`;
    const found = kinds.get(id) ?? new Map<string, KubeObject>();
    kinds.set(id, found);
    return found;
  };
  const collect = (): void => {
    const uids = new Set([...kinds.values()].flatMap((all) => [...all.values()].map((o) => o.metadata.uid ?? '')));
    for (const all of kinds.values()) {
      for (const object of [...all.values()]) if (isOwnedByNone(object, uids)) drop(all, object);
    }
  };
  const drop = (all: Map<string, KubeObject>, object: KubeObject): void => {
    const { name, finalizers = [], deletionTimestamp } = object.metadata;
    if (finalizers.length === 0) {
      all.delete(name);
      collect();
    } else if (!deletionTimestamp) {
      const metadata = { ...object.metadata, deletionTimestamp: formatTime(clock.now()), resourceVersion: `${next()}` };
      all.set(name, { ...object, metadata });
    }
  };
  const write = (all: Map<string, KubeObject>, before: KubeObject, after: KubeObject): KubeObject | undefined => {
    if (isDeepStrictEqual(before, after)) return before;
    const specs = [before, after].map((object) => (object as { spec?: unknown }).spec);
    const generation = (before.metadata.generation ?? 1) + (isDeepStrictEqual(specs[0], specs[1]) ? 0 : 1);
    const stored = { ...after, metadata: { ...after.metadata, generation, resourceVersion: `${next()}` } };
    all.set(stored.metadata.name, stored);
    if (!stored.metadata.deletionTimestamp || (stored.metadata.finalizers ?? []).length > 0) return stored;
    drop(all, stored);
    return undefined;
  };
  const create = <T extends KubeObject>(resource: ResourceDefinition<T>, object: T): T => {
    const id = next();
    const given = { namespace: NAMESPACE, uid: `uid-${id}`, resourceVersion: `${id}`, generation: 1 };
    const metadata = { ...object.metadata, ...given, creationTimestamp: formatTime(clock.now()) };
    const stored = { ...object, metadata };
    of(resource).set(metadata.name, stored);
    // The owner may have been deleted meanwhile.
    if (metadata.ownerReferences) collect();
    return stored;
  };
  const all = <T extends KubeObject>(resource: ResourceDefinition<T>): T[] => [...of(resource).values()] as T[];
  const find = <T extends KubeObject>(resource: ResourceDefinition<T>, { name }: ObjectKey): T | undefined =>
    of(resource).get(name) as T | undefined;
  const findMeant = <T extends KubeObject>(resource: ResourceDefinition<T>, target: Target): T | undefined => {
    const { key, uid } = lookUp(target);
    const found = find(resource, key);
    return uid === undefined || found?.metadata.uid === uid ? found : undefined;
  };
  return {
    all,
    create,
    put: (resource, name, change) => {
      const before = find(resource, { namespace: NAMESPACE, name });
      if (before) write(of(resource), before, change(before));
    },
    remove: (resource, name) => {
      const object = find(resource, { namespace: NAMESPACE, name });
      if (object) drop(of(resource), object);
    },
    get: async (resource, key) => {
      beside();
      return find(resource, key);
    },
    list: async (resource) => {
      beside();
      return all(resource);
    },
    survey: async (resource) => {
      beside();
      return all(resource);
    },
    listNaming: async (resource) => {
      beside();
      return all(resource);
    },
    listOfCluster: async (resource, _namespace, cluster) => {
      beside();
      return all(resource).filter((object) => resource.clusterNameOf?.(object) === cluster);
    },
    ensure: async (resource, object) => {
      beside();
      const existing = find(resource, { namespace: NAMESPACE, name: object.metadata.name });
      return existing ? { object: existing, created: false } : { object: create(resource, object), created: true };
    },
    mutate: async (resource, target, change) => {
      beside();
      const before = findMeant(resource, target);
      if (!before) return undefined;
      const after = change(before);
      return after === undefined ? before : (write(of(resource), before, after) as typeof before | undefined);
    },
    apply: () => Promise.reject(new Error('no life of this simulation has a topology')),
    delete: async (resource, target) => {
      beside();
      const object = findMeant(resource, target);
      if (object) drop(of(resource), object);
    },
  };
};
