import {
  type Cluster,
  type ClusterResourceSet,
  type ClusterResourceSetBinding,
  kinds,
  type Secret,
} from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { holdsSet } from '../../../shared/plan/addons/binding.ts';
import { selectsCluster } from '../../../shared/plan/addons/selection.ts';
import { RESOURCE_SET_SECRET } from '../../../shared/plan/addons/source.ts';
import type { Item } from './clusters.ts';

/** Reads all objects of a kind in the namespace of the written object. */
export type ReadKind = <T extends KubeObject>(resource: ResourceDefinition<T>) => Promise<T[]>;

const isManifest = ({ resource: { kind }, object }: Item): boolean =>
  kind === 'ConfigMap' || (kind === 'Secret' && (object as Secret).type === RESOURCE_SET_SECRET);

/** The sets that a write concerns: the written set, or those that name the written ConfigMap or Secret. */
const concernedSets = async (item: Item, read: ReadKind): Promise<ClusterResourceSet[]> => {
  const { resource, object } = item;
  if (resource.kind === 'ClusterResourceSet') return [object as ClusterResourceSet];
  if (!isManifest(item)) return [];
  return (await read(kinds.clusterResourceSet)).filter(({ spec }) =>
    spec.resources.some(({ kind, name }) => kind === resource.kind && name === object.metadata.name),
  );
};

/**
 * The names of clusters that a write concerns because of ClusterResourceSets: those that the sets select, and those
 * whose bindings still contain the sets. Nothing is read for kinds that no set refers to.
 */
export const affectedByAddons = async (item: Item, read: ReadKind): Promise<string[]> => {
  const sets = await concernedSets(item, read);
  if (sets.length === 0) return [];
  const [clusters, bindings] = await Promise.all([
    read<Cluster>(kinds.cluster),
    read<ClusterResourceSetBinding>(kinds.clusterResourceSetBinding),
  ]);
  const selected = clusters.filter((cluster) => sets.some((set) => selectsCluster(set, cluster)));
  const bound = bindings.filter((binding) => sets.some(({ metadata }) => holdsSet(binding, metadata.name)));
  return [...new Set([...selected.map(({ metadata }) => metadata.name), ...bound.map(({ spec }) => spec.clusterName)])];
};
