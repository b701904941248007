import { type ClusterName, namesAnother, OWNER_TAG, OWNERSHIP_TAG_PREFIX, type Tags } from '../tags.ts';
import type { SeenSecurityGroups } from './security-groups/model.ts';

/** `<namespace>/<name>` of the Cluster that owns a resource; the name alone if upstream has created it. */
const ownerIn = (tags: Tags): string => {
  const name = Object.keys(tags).find((key) => key.startsWith(OWNERSHIP_TAG_PREFIX));
  return tags[OWNER_TAG] ?? name?.slice(OWNERSHIP_TAG_PREFIX.length) ?? '';
};

/**
 * Other clusters whose machines are in this one's VPCs, in order. Each has security groups there until it is deleted.
 * `observed`: what is in the cluster's own VPCs.
 */
export const guestsIn = (cluster: ClusterName, { securityGroups }: SeenSecurityGroups): string[] => {
  const foreign = securityGroups.filter(({ tags }) => namesAnother(cluster, tags));
  return [...new Set(foreign.map(({ tags }) => ownerIn(tags)))].sort();
};
