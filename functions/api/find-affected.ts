import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import type { Storage } from '../../shared/kube-api/storage/storage.ts';
import { RESOURCE_SET_SECRET } from '../../shared/plan/addons/source.ts';
import { GROUP } from '../../shared/plan/labels.ts';
import { REFERRING_KINDS, refersToAny } from '../../shared/plan/references.ts';
import type { PledgedWrite } from '../../shared/store/work/pledges.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import { clusterRefOf } from '../cluster-ref.ts';
import { identityUsers } from '../providers/aws/api/identity-users.ts';
import { affectedByAddons } from './affected/addons.ts';
import { affectedClusters, type FindReferrers, type Item } from './affected/clusters.ts';
import { keyUsers } from './rancher/key-users.ts';
import { clustersOfClasses } from './topology/affected.ts';

export interface AffectedDependencies {
  kinds: readonly ResourceDefinition[];
  storage: Pick<Storage, 'get' | 'list'>;
}

export interface FindAffected {
  /** The clusters that a write of an object concerns. `old`: the object before the write, if it existed. */
  ofWrite(resource: ResourceDefinition, object: KubeObject, old?: KubeObject): Promise<ClusterRef[]>;
  /**
   * Like `ofWrite`, for a write of which only the object's key is known: uses the current object if it still exists.
   */
  ofPledge(write: PledgedWrite): Promise<ClusterRef[]>;
}

/** Finds clusters by the objects of a storage. */
export const makeFindAffected = ({ kinds, storage }: AffectedDependencies): FindAffected => {
  const clusters = kinds.find(({ kind, group }) => kind === 'Cluster' && group === GROUP.core);
  if (!clusters) throw new Error('the kinds do not include Cluster');
  const referring = kinds.filter(({ kind, namespaced }) => namespaced && REFERRING_KINDS.includes(kind));

  const readAll = async <T extends KubeObject>(resource: ResourceDefinition<T>, namespace?: string): Promise<T[]> =>
    (await storage.list(resource, { namespace, unversioned: true })).items as T[];

  const referrersIn =
    (namespace: string): FindReferrers =>
    async (naming) => {
      const refers = refersToAny(naming);
      const read = async (resource: ResourceDefinition): Promise<Item[]> => {
        const { items } = await storage.list(resource, { namespace, naming, unversioned: true });
        return items.filter(refers).map((object) => ({ resource, object }));
      };
      return (await Promise.all(referring.map(read))).flat();
    };

  const affectedBy = async (item: Item): Promise<string[]> => {
    const namespace = item.object.metadata.namespace ?? '';
    const [own, byAddons] = await Promise.all([
      affectedClusters(item, referrersIn(namespace)),
      affectedByAddons(item, (resource) => readAll(resource, namespace)),
    ]);
    return [...own, ...byAddons];
  };

  /** The current clusters with these names. A cluster that does not exist yet is touched when it is created. */
  const find = async (namespace: string, names: Iterable<string>): Promise<ClusterRef[]> => {
    const found = await Promise.all([...names].map((name) => storage.get(clusters, namespace, name)));
    return found.flatMap((cluster) => (cluster?.metadata.uid ? [clusterRefOf(cluster)] : []));
  };

  /**
   * The cluster that it names; without one, the clusters to which references to it lead, and those of classes that use
   * it.
   */
  const ofCustom = async (
    resource: ResourceDefinition,
    object: KubeObject,
    old?: KubeObject,
  ): Promise<ClusterRef[]> => {
    const { namespace = '' } = object.metadata;
    const named = [object, ...(old ? [old] : [])].flatMap((one) => resource.clusterNameOf?.(one) ?? []);
    const names = named.length > 0 ? named : await affectedClusters({ resource, object }, referrersIn(namespace));
    const ofClasses = await clustersOfClasses(storage, resource, object, old);
    return [...(await find(namespace, new Set(names))), ...ofClasses.map(clusterRefOf)];
  };

  const ofWrite: FindAffected['ofWrite'] = async (resource, object, old) => {
    if (resource.custom) return ofCustom(resource, object, old);
    const items = [object, ...(old ? [old] : [])].map((version) => ({ resource, object: version }));
    const names = new Set((await Promise.all(items.map(affectedBy))).flat());
    const { namespace = '' } = object.metadata;
    const [named, users, ofClasses, ofKeys] = await Promise.all([
      // The object itself, if it is the cluster; both groups have clusters.
      resource.kind === 'Cluster' ? [clusterRefOf(object)] : find(namespace, names),
      identityUsers({ resource, object }, readAll),
      clustersOfClasses(storage, resource, object, old),
      keyUsers({ resource, object }, readAll),
    ]);
    const all = [...named, ...[...users, ...ofClasses, ...ofKeys].map(clusterRefOf)].filter(({ uid }) => uid !== '');
    return [...new Map(all.map((ref) => [ref.uid, ref])).values()];
  };

  return {
    ofWrite,
    ofPledge: async ({ group, plural, namespace, name, clusterNames }) => {
      const resource = kinds.find((one) => one.group === group && one.plural === plural);
      // For a custom resource, the clusters that it named. If only a reference leads to it, a later pass finds the
      // change.
      if (!resource) return find(namespace, clusterNames);
      const stored = await storage.get(resource, namespace, name);
      // A deleted Cluster has nothing left to converge.
      const isOver = !stored && resource.kind === 'Cluster';
      const [now, before] = await Promise.all([
        isOver ? [] : ofWrite(resource, stored ?? goneObject(resource, namespace, name)),
        find(namespace, clusterNames),
      ]);
      return [...now, ...before];
    },
  };
};

/**
 * The kind and the name of a deleted object, with which references identify it. A Secret may have been an add-on's, and
 * a ClusterResourceSet is found through its bindings.
 */
const goneObject = (
  { kind, group, version }: ResourceDefinition,
  namespace: string,
  name: string,
): KubeObject & { spec: object; type?: string } => ({
  apiVersion: group ? `${group}/${version}` : version,
  kind,
  metadata: { name, ...(namespace ? { namespace } : {}) },
  spec: { clusterSelector: {}, resources: [] },
  ...(kind === 'Secret' ? { type: RESOURCE_SET_SECRET } : {}),
});
