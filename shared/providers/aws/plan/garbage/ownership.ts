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

/** Of the cloud controller manager: the Service that the load balancer was made for. */
const SERVICE_TAG = 'kubernetes.io/service-name';

const CLOUD_PROVIDER_PREFIX = cloudProviderTag('');

/** The tag of another cluster, or of one of our clusters: only they may delete it. */
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
 * A load balancer or target group that controllers in the cluster created for its Services and Ingresses, or an
 * unreferenced one of our own. Excluded are `shared` ones, and those with the tag of another cluster.
 */
export const isBalancingGarbage = (cluster: ClusterName, tags: Tags): boolean =>
  isOwnedBy(cluster, tags) ||
  (!isAnothers(cluster, tags) &&
    ((isCloudProviders(cluster, tags) && Boolean(tags[SERVICE_TAG])) || tags[CONTROLLER_TAG] === cluster.name));

/** A security group that such controllers created. Those of the network itself are deleted with the network. */
export const isGroupGarbage = (cluster: ClusterName, tags: Tags): boolean =>
  !isAnothers(cluster, tags) && (isCloudProviders(cluster, tags) || tags[CONTROLLER_TAG] === cluster.name);
