/** The owner of a load balancer or target group to which a cluster refers. Anyone can write a name. */
import {
  type ClusterName,
  CONTROLLER_TAG,
  cloudProviderTag,
  OWNER_TAG,
  OWNERSHIP_TAG_PREFIX,
  ownershipTag,
  type Tags,
} from '../../tags.ts';

export const EKS_TAG = 'aws:eks:cluster-name';

const CLOUD_PROVIDER_PREFIX = cloudProviderTag('');

/** Whether a cluster, or a controller in one, has set its tag on it. */
export const bearsClusterTag = (tags: Tags): boolean =>
  Object.keys(tags).some(
    (key) =>
      [OWNER_TAG, CONTROLLER_TAG, EKS_TAG].includes(key) ||
      key.startsWith(OWNERSHIP_TAG_PREFIX) ||
      key.startsWith(CLOUD_PROVIDER_PREFIX),
  );

export interface GroupMarks {
  /** The tags of the target group. */
  tags: Tags;
  /** The tags of the load balancer that forwards to it. */
  balancerTags: Tags;
}

/**
 * - `ours`: a pass has tagged it for this cluster.
 * - `unmarked`: upstream's tag contains a cluster with this name without a namespace. The next pass over its cluster
 *   tags it.
 * - `users`: the spec names the load balancer, and no cluster has tagged it or the group: it is the user's own.
 * - `foreign`: another cluster's, or one that only happens to have the name.
 */
export type GroupOwnership = 'ours' | 'unmarked' | 'users' | 'foreign';

/**
 * The owner of a target group, determined before instances are registered or deregistered. `isNamed`: the spec names
 * it.
 */
export const groupOwnership = (
  { namespace, name }: ClusterName,
  { tags, balancerTags }: GroupMarks,
  isNamed: boolean,
): GroupOwnership => {
  const owner = tags[OWNER_TAG];
  if (owner !== undefined) return owner === `${namespace}/${name}` ? 'ours' : 'foreign';
  if (tags[ownershipTag(name)] === 'owned' && balancerTags[OWNER_TAG] === undefined) return 'unmarked';
  return isNamed && !bearsClusterTag(tags) && !bearsClusterTag(balancerTags) ? 'users' : 'foreign';
};
