import { isObject } from '../../shared/kube-api/json.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import { followsContract } from '../../shared/outside/kinds.ts';

/** An object with the definition of its kind. */
export interface Item {
  resource: ResourceDefinition;
  object: KubeObject;
}

const CLUSTER = 'Cluster';
/** Kinds that name others in their spec, on the way from a template or a secret up to the cluster. */
export const REFERRING_KINDS: readonly string[] = [
  CLUSTER,
  'KubeadmControlPlane',
  'MachineDeployment',
  'MachinePool',
  'KubeadmConfigTemplate',
  'RKE2ControlPlane',
  'RKE2ConfigTemplate',
];

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
    'ClusterResourceSetBinding',
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

/**
 * Whether a write of this object concerns clusters that only references lead to, so that these must be read. They are
 * searched in the object's namespace; identities have none, and identity-users.ts finds their clusters.
 */
export const needsReferrers = (item: Item): boolean =>
  item.resource.namespaced && !NEVER.includes(item.resource.kind) && ownCluster(item) === undefined;

/**
 * Names of the clusters that a write of `item` concerns: its own, else those whose objects lead to it by name, such as
 * a machine template in use by a MachineDeployment, or a control plane that carries no label yet. `referrers` are the
 * objects of the REFERRING_KINDS in its namespace.
 */
export const affectedClusters = (item: Item, referrers: readonly Item[]): string[] => {
  if (NEVER.includes(item.resource.kind)) return [];
  const own = ownCluster(item);
  if (own !== undefined) return [own];
  const reached: Item[] = [item];
  // `reached` grows while it is walked: a secret leads to a template, that to a MachineDeployment, that to its cluster.
  for (const target of reached) {
    const more = referrers.filter((other) => !reached.includes(other) && refersTo(other.object, target));
    reached.push(...more);
  }
  return [...new Set(reached.flatMap((found) => ownCluster(found) ?? []))];
};

/** Whether the spec of `object` names `target` anywhere. */
const refersTo = (object: KubeObject & { spec?: unknown }, { resource, object: target }: Item): boolean =>
  names(object.spec, resource.kind, target.metadata.name);

const names = (value: unknown, kind: string, name: string): boolean => {
  if (Array.isArray(value)) return value.some((item) => names(item, kind, name));
  if (!isObject(value)) return false;
  if (value.kind === kind && value.name === name) return true;
  if (kind === 'Secret' && namesSecret(value, name)) return true;
  return Object.values(value).some((member) => names(member, kind, name));
};

/** Secrets are named without their kind: `contentFrom.secret.name`, `passwdFrom.secret.name`, `dataSecretName`. */
const namesSecret = ({ secret, dataSecretName }: Record<string, unknown>, name: string): boolean =>
  dataSecretName === name || (isObject(secret) && secret.name === name);
