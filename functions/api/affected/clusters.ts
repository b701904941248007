import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { followsContract } from '../../../shared/outside/kinds.ts';
import type { Referent } from '../../../shared/plan/references.ts';

/** An object with the definition of its kind. */
export interface Item {
  resource: ResourceDefinition;
  object: KubeObject;
}

const CLUSTER = 'Cluster';
/**
 * Records, namespaces, rights and definitions of kinds change nothing that a cluster is made of. ConfigMaps do as add-ons: affected-addons.ts.
 * Classes do for the clusters that use them: topology/affected.ts.
 */
const NEVER: readonly string[] = [
  ...[
    'ClusterClass',
    'Event',
    'Namespace',
    'ResourceQuota',
    'ConfigMap',
    'ClusterResourceSet',
    'CustomResourceDefinition',
    'Kubeconfig',
  ],
  ...['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'],
];

/** Kinds of NEVER that concern clusters in another way. */
const BY_OTHER_WAYS: readonly string[] = ['ConfigMap', 'ClusterResourceSet', 'ClusterClass'];

/** Whether a write of this kind can concern any cluster, directly or indirectly; custom resources can by Cluster API's contract. */
export const concernsClusters = (resource: ResourceDefinition): boolean => {
  // Kinds are distinguished by their names here, which a custom resource may share.
  if (resource.custom) return followsContract(resource);
  const { kind } = resource;
  return !NEVER.includes(kind) || BY_OTHER_WAYS.includes(kind);
};

/** The cluster that an object says it belongs to. */
const ownCluster = ({ resource, object }: Item): string | undefined =>
  resource.kind === CLUSTER && !resource.custom ? object.metadata.name : resource.clusterNameOf?.(object);

/** Objects in the namespace of a write whose spec names the target. */
export type FindReferrers = (target: Referent) => Promise<readonly Item[]>;

/**
 * Names of the clusters that a write of `item` concerns: its own, else those whose objects lead to it by name, such as
 * a machine template in use by a MachineDeployment, or a control plane that carries no label yet.
 */
export const affectedClusters = async (item: Item, findReferrers: FindReferrers): Promise<string[]> => {
  if (NEVER.includes(item.resource.kind)) return [];
  const own = ownCluster(item);
  if (own !== undefined) return [own];
  // Identities have no namespace; identity-users.ts finds their clusters.
  if (!item.resource.namespaced) return [];
  const reached = new Map([[keyOf(item), item]]);
  let targets = [item];
  // A secret leads to a template, that to a MachineDeployment, that to its cluster.
  while (targets.length > 0) {
    const found = await Promise.all(targets.map((target) => findReferrers(referentOf(target))));
    targets = found.flat().filter((other) => !reached.has(keyOf(other)));
    for (const other of targets) reached.set(keyOf(other), other);
  }
  return [...new Set([...reached.values()].flatMap((found) => ownCluster(found) ?? []))];
};

const referentOf = ({ resource, object }: Item): Referent => ({ kind: resource.kind, name: object.metadata.name });

const keyOf = ({ resource, object }: Item): string => `${resource.group}/${resource.kind}/${object.metadata.name}`;
