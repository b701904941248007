import { isDeepStrictEqual } from 'node:util';
import { MissingReferenceError } from '../errors.ts';
import type { Catalog } from '../kube-api/custom/catalog.ts';
import type { KubeObject } from '../kube-api/object.ts';
import type { ResourceDefinition } from '../kube-api/resource.ts';
import type { ObjectClient } from '../kube-api/storage/client.ts';
import { isOutside, type OutsideKind, type Resolved, resolve } from '../outside/kinds.ts';
import { viewOf } from '../outside/view.ts';

/** The stored object with the metadata of `next`. Throws if anything else differs from what the core has read. */
const withMetadataOf = (stored: KubeObject, view: KubeObject, next: KubeObject): KubeObject => {
  const { metadata: _before, ...body } = view;
  const { metadata, ...changed } = next;
  if (!isDeepStrictEqual(body, changed))
    throw new Error(`the core writes metadata of a ${stored.kind} and nothing else: it is its provider's`);
  return { ...stored, metadata };
};

/**
 * Gives controllers access to objects of external providers (shared/outside). Each call looks up the definition, which
 * costs one small read; concurrent calls share it. A kind without a definition has no objects.
 */
export const withOutside = (objects: ObjectClient, catalog: Catalog): ObjectClient => {
  const seen = new WeakMap<KubeObject, KubeObject>();
  let looking: ReturnType<Catalog['current']> | undefined;

  const find = async <T extends KubeObject>(kind: OutsideKind<T>): Promise<Resolved<T> | undefined> => {
    looking ??= catalog.current().finally(() => {
      looking = undefined;
    });
    return resolve(kind, (await looking).resources);
  };

  const show = <T extends KubeObject>({ outside }: OutsideKind<T>, { contract }: Resolved<T>, stored: T): T => {
    const view = { ...viewOf(outside, stored, contract) } as T;
    seen.set(view, stored);
    return view;
  };

  const listed = async <T extends KubeObject>(
    kind: OutsideKind<T>,
    list: (resource: ResourceDefinition<T>) => Promise<T[]>,
  ): Promise<T[]> => {
    const resolved = await find(kind);
    return resolved ? (await list(resolved.resource)).map((one) => show(kind, resolved, one)) : [];
  };

  return {
    get: async (resource, key, options) => {
      if (!isOutside<never>(resource)) return objects.get(resource, key, options);
      const resolved = await find(resource);
      const found = resolved && (await objects.get(resolved.resource, key, options));
      return resolved && found && show(resource, resolved, found);
    },
    list: (resource, ...how) =>
      isOutside<never>(resource)
        ? listed(resource, (found) => objects.list(found, ...how))
        : objects.list(resource, ...how),
    survey: (resource, ...how) =>
      isOutside<never>(resource)
        ? listed(resource, (found) => objects.survey(found, ...how))
        : objects.survey(resource, ...how),
    listOfCluster: (resource, namespace, cluster, options) =>
      isOutside<never>(resource)
        ? listed(resource, (found) => objects.listOfCluster(found, namespace, cluster, options))
        : objects.listOfCluster(resource, namespace, cluster, options),
    listNaming: (resource, ...how) =>
      isOutside<never>(resource)
        ? listed(resource, (found) => objects.listNaming(found, ...how))
        : objects.listNaming(resource, ...how),
    ensure: async (resource, object, options) => {
      if (!isOutside<never>(resource)) return objects.ensure(resource, object, options);
      const resolved = await find(resource);
      if (!resolved) throw new MissingReferenceError(`no definition of ${resource.kind} in ${resource.group}`);
      const { group, version } = resolved.resource;
      const made = await objects.ensure(resolved.resource, { ...object, apiVersion: `${group}/${version}` }, options);
      return { ...made, object: show(resource, resolved, made.object) };
    },
    mutate: async (resource, key, change, { from } = {}) => {
      if (!isOutside<never>(resource)) return objects.mutate(resource, key, change, from ? { from } : {});
      const resolved = await find(resource);
      if (!resolved) return undefined;
      const stored = from && seen.get(from);
      const changed = (current: KubeObject) => {
        const view = show(resource, resolved, current as never);
        const next = change(view);
        return next && (withMetadataOf(current, view, next) as never);
      };
      const options = stored ? { from: stored as never } : {};
      const written = await objects.mutate(resolved.resource, key, changed as never, options);
      return written && show(resource, resolved, written);
    },
    apply: async (resource, object, manager, options) => {
      if (isOutside(resource)) throw new Error(`nothing applies objects of ${resource.kind}`);
      return objects.apply(resource, object, manager, options);
    },
    delete: async (resource, key, options) => {
      if (!isOutside<never>(resource)) return objects.delete(resource, key, options);
      const resolved = await find(resource);
      if (resolved) await objects.delete(resolved.resource, key, options);
    },
  };
};
