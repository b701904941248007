import {
  type ClusterName,
  CONTROLLER_TAG,
  cloudProviderTag,
  isOwnedBy,
  OWNER_TAG,
  OWNERSHIP_TAG_PREFIX,
  type Tags,
} from '../../tags.ts';
import { EKS_TAG } from '../ownership/balancing.ts';

/** A tag of the cloud controller manager: the Service for which the load balancer was created. */
const SERVICE_TAG = 'kubernetes.io/service-name';

const CLOUD_PROVIDER_PREFIX = cloudProviderTag('');

/** Whether it has the tag of another cluster, or of one of our clusters: only they may delete it. */
export const isAnothers = (cluster: ClusterName, tags: Tags): boolean =>
  tags[OWNER_TAG] !== undefined ||
  tags[EKS_TAG] !== undefined ||
  Object.keys(tags).some(
    (key) =>
      key.startsWith(OWNERSHIP_TAG_PREFIX) ||
      (key.startsWith(CLOUD_PROVIDER_PREFIX) && key !== cloudProviderTag(cluster.name)),
  ) ||
  (tags[CONTROLLER_TAG] !== undefined && tags[CONTROLLER_TAG] !== cluster.name);

const isCloudProviders = (cluster: ClusterName, tags: Tags): boolean =>
  tags[cloudProviderTag(cluster.name)] === 'owned';

/**
 * Whether it is a load balancer or target group that controllers in the cluster have created for its Services and
 * Ingresses, or an unreferenced one of our own. Resources that are `shared`, and those with the tag of another cluster,
 * are excluded.
 */
export const isBalancingGarbage = (cluster: ClusterName, tags: Tags): boolean =>
  isOwnedBy(cluster, tags) ||
  (!isAnothers(cluster, tags) &&
    ((isCloudProviders(cluster, tags) && Boolean(tags[SERVICE_TAG])) || tags[CONTROLLER_TAG] === cluster.name));

/**
 * Whether it is a security group that such controllers have created. Those of the network itself are deleted with the
 * network.
 */
export const isGroupGarbage = (cluster: ClusterName, tags: Tags): boolean =>
  !isAnothers(cluster, tags) && (isCloudProviders(cluster, tags) || tags[CONTROLLER_TAG] === cluster.name);
