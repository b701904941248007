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
 * Writes to records, namespaces, RBAC objects and definitions of kinds concern no cluster. ConfigMaps may concern clusters
 * as add-ons (addons.ts), and classes concern the clusters that use them (topology/affected.ts).
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

/**
 * Whether a write to this kind can concern any cluster, directly or indirectly. For custom resources, this depends on
 * Cluster API's contract.
 */
export const concernsClusters = (resource: ResourceDefinition): boolean => {
  // Kinds are identified here by their names, which a custom resource may share.
  if (resource.custom) return followsContract(resource);
  const { kind } = resource;
  return !NEVER.includes(kind) || BY_OTHER_WAYS.includes(kind);
};

/** The cluster to which an object belongs according to its own fields. */
const ownCluster = ({ resource, object }: Item): string | undefined =>
  resource.kind === CLUSTER && !resource.custom ? object.metadata.name : resource.clusterNameOf?.(object);

/** Finds objects whose spec names one of the targets, in the namespace of a write. */
export type FindReferrers = (targets: readonly Referent[]) => Promise<readonly Item[]>;

/**
 * The references from any object to its cluster: a Secret leads to a template, the template to a control plane without a
 * label, and that to its Cluster. A longer chain leads nowhere, but a user can write one of any length.
 */
const MOST_STEPS = 4;

/**
 * The names of the clusters that a write of `item` concerns: its own, or else those whose objects lead to it by name.
 * Examples are a machine template that a MachineDeployment uses, and a control plane without a label yet. Looks for
 * referrers at most MOST_STEPS times, however many objects there are.
 */
export const affectedClusters = async (item: Item, findReferrers: FindReferrers): Promise<string[]> => {
  if (NEVER.includes(item.resource.kind)) return [];
  const own = ownCluster(item);
  if (own !== undefined) return [own];
  // Identities have no namespace; identity-users.ts finds their clusters.
  if (!item.resource.namespaced) return [];
  const names = new Set<string>();
  const reached = new Set([keyOf(item)]);
  let targets: readonly Item[] = [item];
  for (let steps = 0; targets.length > 0 && steps < MOST_STEPS; steps += 1) {
    const found = (await findReferrers(targets.map(referentOf))).filter((other) => !reached.has(keyOf(other)));
    for (const other of found) reached.add(keyOf(other));
    for (const name of found.flatMap((other) => ownCluster(other) ?? [])) names.add(name);
    // What belongs to a cluster leads to no other one.
    targets = found.filter((other) => ownCluster(other) === undefined);
  }
  return [...names];
};

const referentOf = ({ resource, object }: Item): Referent => ({ kind: resource.kind, name: object.metadata.name });

const keyOf = ({ resource, object }: Item): string => `${resource.group}/${resource.kind}/${object.metadata.name}`;
