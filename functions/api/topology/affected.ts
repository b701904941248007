import { isDeepStrictEqual } from 'node:util';
import type { Cluster } from '../../../shared/kinds/cluster/schema.ts';
import type { ClusterClass } from '../../../shared/kinds/cluster-class/schema.ts';
import { isClassPaused } from '../../../shared/kinds/cluster-class/status.ts';
import { concernsTopology, namesTemplate, usesTemplate } from '../../../shared/kinds/cluster-class/used-parts.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { classKeyOf, isSameKey, type Reads, usersOf } from './classes.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The parts of a template that clusters take over: its spec, labels and annotations. */
const contentOf = (object: KubeObject & { spec?: unknown }) => {
  const { [LAST_APPLIED]: _, ...annotations } = object.metadata.annotations ?? {};
  return { spec: object.spec, labels: object.metadata.labels ?? {}, annotations };
};

const ofClass = async (reads: Reads, next: ClusterClass, old: ClusterClass | undefined): Promise<Cluster[]> => {
  // Changes during a pause are not recorded: when it ends, all clusters may follow the class.
  const isNew = !old || (isClassPaused(old) && !isClassPaused(next));
  if (!isNew && isDeepStrictEqual(next.spec, old.spec)) return [];
  const users = await usersOf(reads, [next]);
  return users.filter(
    ({ spec: { topology } }) => topology && (isNew || concernsTopology(topology, next.spec, old.spec)),
  );
};

const ofTemplate = async (
  reads: Reads,
  { group, kind }: ResourceDefinition,
  { metadata: { namespace = '', name } }: KubeObject,
): Promise<Cluster[]> => {
  const template = { group, kind, name };
  const { items } = await reads.list(kinds.clusterClass, { namespace, naming: [template], unversioned: true });
  const naming = (items as ClusterClass[]).filter(({ spec }) => namesTemplate(spec, template));
  return (await usersOf(reads, naming)).filter((cluster) => {
    const { topology } = cluster.spec;
    const key = classKeyOf(cluster);
    const clusterClass = naming.find(({ metadata }) => isSameKey(key, { namespace, name: metadata.name }));
    return topology && clusterClass && usesTemplate(topology, clusterClass.spec, template);
  });
};

/**
 * The clusters in all namespaces that a write of a class, or of a template that classes use, may affect. Nothing is
 * read for other kinds, or for writes that change nothing from which clusters are created.
 */
export const clustersOfClasses = async (
  reads: Reads,
  resource: ResourceDefinition,
  object: KubeObject,
  old: KubeObject | undefined,
): Promise<Cluster[]> => {
  if (resource.kind === kinds.clusterClass.kind && resource.group === kinds.clusterClass.group) {
    return ofClass(reads, object as ClusterClass, old as ClusterClass | undefined);
  }
  if (!resource.kind.endsWith('Template') || resource.clusterNameOf?.(object) !== undefined) return [];
  if (old && isDeepStrictEqual(contentOf(object), contentOf(old))) return [];
  return ofTemplate(reads, resource, object);
};
