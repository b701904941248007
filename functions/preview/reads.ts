import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { type ContractKinds, contractOfVersion, isOutside } from '../../shared/outside/kinds.ts';
import { viewOf } from '../../shared/outside/view.ts';

/** How a preview reads objects. */
export type Reads = Pick<ObjectClient, 'get' | 'list' | 'listOfCluster'> & {
  /** The definitions of external providers' kinds; none if absent. */
  contractKinds?: ContractKinds;
  /** Whether the caller may read the quotas of a namespace; yes if absent. */
  mayReadQuotas?(namespace: string): Promise<boolean>;
};

const optionalOf = ({ contractKinds, mayReadQuotas }: Reads) => ({
  ...(contractKinds ? { contractKinds } : {}),
  ...(mayReadQuotas ? { mayReadQuotas } : {}),
});

/** A previewed write: the resulting object, in the stored version. */
export interface Change {
  resource: ResourceDefinition;
  type: 'created' | 'updated' | 'deleted';
  /** The object as it would be; for an immediate deletion, as it was. */
  object: KubeObject;
}

const isOf = ({ resource }: Change, { group, kind }: ResourceDefinition): boolean =>
  resource.group === group && resource.kind === kind;

const keyOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;

/** A changed object as the core reads it: for external providers, only the fields of the contract. */
const shownAs = <T extends KubeObject>(wanted: ResourceDefinition<T>, { resource, object }: Change): T =>
  (isOutside<T>(wanted) ? viewOf(wanted.outside, object, contractOfVersion(resource) ?? 'v1beta2') : object) as T;

/** Reads that answer as if the changes had been made. */
export const withChanges = (reads: Reads, changes: readonly Change[]): Reads => {
  const merged = <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    found: readonly T[],
    isMeant: (object: T) => boolean,
  ): T[] => {
    const own = changes.filter((change) => isOf(change, resource));
    const changed = new Set(own.map(({ object }) => keyOf(object)));
    const left = own.filter(({ type }) => type !== 'deleted').map((change) => shownAs(resource, change));
    return [...found.filter((object) => !changed.has(keyOf(object))), ...left.filter(isMeant)];
  };
  return {
    ...optionalOf(reads),
    get: async <T extends KubeObject>(resource: ResourceDefinition<T>, key: { namespace: string; name: string }) => {
      const named = `${resource.namespaced ? key.namespace : ''}/${key.name}`;
      const change = changes.findLast((one) => isOf(one, resource) && keyOf(one.object) === named);
      if (!change) return reads.get(resource, key);
      return change.type === 'deleted' ? undefined : shownAs(resource, change);
    },
    list: async (resource, namespace) =>
      merged(
        resource,
        await reads.list(resource, namespace),
        ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
      ),
    listOfCluster: async (resource, namespace, cluster) =>
      merged(
        resource,
        await reads.listOfCluster(resource, namespace, cluster),
        (object) => object.metadata.namespace === namespace && resource.clusterNameOf?.(object) === cluster,
      ),
  };
};

/** Reads each object once: the current and the changed cluster are built from the same answers. */
export const remembering = (reads: Reads): Reads => {
  const known = new Map<string, Promise<unknown>>();
  const once = <T>(key: readonly unknown[], read: () => Promise<T>): Promise<T> => {
    const text = JSON.stringify(key);
    const found = known.get(text) ?? read();
    known.set(text, found);
    return found as Promise<T>;
  };
  const { contractKinds, mayReadQuotas } = reads;
  return {
    ...(contractKinds ? { contractKinds } : {}),
    ...(mayReadQuotas
      ? { mayReadQuotas: (namespace) => once(['quotas', namespace], () => mayReadQuotas(namespace)) }
      : {}),
    get: (resource, key) =>
      once(['get', resource.group, resource.kind, key.namespace, key.name], () => reads.get(resource, key)),
    list: (resource, namespace) =>
      once(['list', resource.group, resource.kind, namespace], () => reads.list(resource, namespace)),
    listOfCluster: (resource, namespace, cluster) =>
      once(['of', resource.group, resource.kind, namespace, cluster], () =>
        reads.listOfCluster(resource, namespace, cluster),
      ),
  };
};
