import { belongsToAnotherNamespace } from '../plan/ownership/references.ts';
import { type ClusterName, namesAnother, OWNER_TAG, OWNERSHIP_TAG_PREFIX, type Tags } from '../tags.ts';
import type { SeenSecurityGroups } from './security-groups/model.ts';

/** The Cluster that owns a resource, as text. Tenants do not see the names of others' clusters. */
const ownerIn = (namespace: string, tags: Tags): string => {
  if (belongsToAnotherNamespace(namespace, tags)) return 'a Cluster of another namespace';
  const name = Object.keys(tags).find((key) => key.startsWith(OWNERSHIP_TAG_PREFIX));
  return `Cluster ${tags[OWNER_TAG] ?? name?.slice(OWNERSHIP_TAG_PREFIX.length)}`;
};

/**
 * Other clusters whose machines are in this cluster's VPCs, as texts, in order. Each has security groups there until it
 * is deleted. `observed`: the contents of the cluster's own VPCs.
 */
export const guestsIn = (cluster: ClusterName, { securityGroups }: SeenSecurityGroups): string[] => {
  const foreign = securityGroups.filter(({ tags }) => namesAnother(cluster, tags));
  return [...new Set(foreign.map(({ tags }) => ownerIn(cluster.namespace, tags)))].sort();
};
