import type { Cluster } from '../../../shared/kinds/cluster/schema.ts';
import type { ClusterClass } from '../../../shared/kinds/cluster-class/schema.ts';
import type { ClassUser } from '../../../shared/kinds/cluster-class/validate-use.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import { isObject } from '../../../shared/kube-api/json.ts';
import type { KubeObject, ObjectKey } from '../../../shared/kube-api/object.ts';
import type { Storage } from '../../../shared/kube-api/storage/storage.ts';

export type Reads = Pick<Storage, 'get' | 'list'>;

/** The key of a Cluster's class; undefined if it has none. The object may be unprocessed input. */
export const classKeyOf = (object: KubeObject & { spec?: unknown }): ObjectKey | undefined => {
  const topology = isObject(object.spec) && isObject(object.spec.topology) ? object.spec.topology : undefined;
  const ref = topology && isObject(topology.classRef) ? topology.classRef : undefined;
  if (typeof ref?.name !== 'string' || ref.name === '') return undefined;
  const own = object.metadata.namespace ?? '';
  return { namespace: typeof ref.namespace === 'string' && ref.namespace !== '' ? ref.namespace : own, name: ref.name };
};

export const isSameKey = (a: ObjectKey | undefined, b: ObjectKey | undefined): boolean =>
  a?.namespace === b?.namespace && a?.name === b?.name;

export const readClass = async (reads: Reads, { namespace, name }: ObjectKey): Promise<ClusterClass | undefined> =>
  (await reads.get(kinds.clusterClass, namespace, name)) as ClusterClass | undefined;

/**
 * The clusters in all namespaces that use one of the classes. Reads all namespaces once, or nothing if there are no
 * classes; the store leaves out most clusters of other classes.
 */
export const usersOf = async (reads: Reads, classes: readonly Pick<ClusterClass, 'metadata'>[]): Promise<Cluster[]> => {
  if (classes.length === 0) return [];
  const keys = classes.map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name }));
  const isUser = (cluster: Cluster): boolean => {
    const own = classKeyOf(cluster);
    return keys.some((key) => isSameKey(own, key));
  };
  const naming = keys.map(({ name }) => ({ kind: kinds.clusterClass.kind, name }));
  const { items } = await reads.list(kinds.cluster, { naming, unversioned: true });
  return (items as Cluster[]).filter(isUser);
};

export const withTopology = (clusters: readonly Cluster[]): ClassUser[] =>
  clusters.flatMap(({ metadata, spec: { topology } }) => (topology ? [{ metadata, topology }] : []));
