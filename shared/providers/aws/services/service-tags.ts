import { type Service, serviceKey } from '../../../plan/services/service.ts';
import { buildTags, type ClusterName, isOwnedBy, ROLE_TAG, type Tags } from '../tags.ts';
import { pairsIn, SERVICE_ANNOTATION, ServiceProblem } from './annotations.ts';

/** Upstream's tag: the Service for which a resource was created. */
const SERVICE_TAG = 'kubernetes.io/service-name';

/** The role of these resources among the cluster's. IAM roles only permit changes of resources with it. */
export const SERVICE_ROLE = 'service';

/** Tags that determine ownership, here or in other programs. */
const RESERVED = /^(aws:|kubernetes\.io\/|k8s\.io\/|elbv2\.k8s\.aws\/|sigs\.k8s\.io\/|windlass\.dev\/)/i;

/** The cluster of a Service, and the tags of all its resources. */
export interface Owner {
  cluster: ClusterName;
  tags: Tags;
}

/**
 * All tags of a Service's load balancer, listeners and target groups: those that all resources of the cluster get,
 * those in the annotation, upstream's two, and those with which Windlass identifies its resources. Upstream's cloud
 * provider does not set the first ones. Throws ServiceProblem.
 */
export const serviceTags = ({ cluster, tags }: Owner, service: Service): Tags => {
  const name = SERVICE_ANNOTATION.additionalTags;
  const additional = pairsIn(service.annotations[name]);
  const reserved = Object.keys(additional).find((key) => RESERVED.test(key));
  if (reserved !== undefined) throw new ServiceProblem(`annotation ${name}: tag ${reserved} is reserved; remove it`);
  return buildTags({
    cluster,
    role: SERVICE_ROLE,
    additional: { ...tags, ...additional },
    extra: { [SERVICE_TAG]: serviceKey(service) },
    cloudProvider: 'owned',
  });
};

/** Whether Windlass has created a resource for this Service of this cluster. */
export const isOfService = (cluster: ClusterName, service: Service, tags: Tags): boolean =>
  isOwnedBy(cluster, tags) && tags[ROLE_TAG] === SERVICE_ROLE && tags[SERVICE_TAG] === serviceKey(service);
