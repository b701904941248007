/** Whose a load balancer or target group is that a cluster names: names are anyone's to write. */
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

/** Whether some cluster, or a controller in one, has put its tag on it. */
export const bearsClusterTag = (tags: Tags): boolean =>
  Object.keys(tags).some(
    (key) =>
      [OWNER_TAG, CONTROLLER_TAG, EKS_TAG].includes(key) ||
      key.startsWith(OWNERSHIP_TAG_PREFIX) ||
      key.startsWith(CLOUD_PROVIDER_PREFIX),
  );

export interface GroupMarks {
  /** Of the target group. */
  tags: Tags;
  /** Of the load balancer that leads to it. */
  balancerTags: Tags;
}

/**
 * - `ours`: a pass has marked it for this cluster.
 * - `unmarked`: upstream's tag names a cluster of this name without a namespace. The next pass of its cluster marks it.
 * - `users`: the spec names the load balancer, and no cluster has tagged it or the group: the user's own.
 * - `foreign`: another cluster's, or one that only happens to have the name.
 */
export type GroupOwnership = 'ours' | 'unmarked' | 'users' | 'foreign';

/** The owner of a target group, before instances are registered or deregistered. `isNamed`: by the spec. */
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
