import { createHash } from 'node:crypto';
import type { Service } from '../../../plan/services/service.ts';
import type { ClusterName } from '../tags.ts';
import type { ServiceHealthCheck } from './health-check.ts';

/** ELB's limit for names of load balancers. */
const MAX_NAME = 32;

/** Kubernetes' rule: `a` and the uid of the Service without hyphens (DefaultLoadBalancerName). */
export const serviceBalancerName = ({ uid }: Pick<Service, 'uid'>): string =>
  `a${uid}`.replaceAll('-', '').slice(0, MAX_NAME);

const alphanumeric = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '');

/** The prefix of the names of all target groups of a Service. Target groups of other Services may have it, too. */
export const serviceGroupPrefix = ({ namespace, name }: Pick<Service, 'namespace' | 'name'>): string =>
  `k8s-${alphanumeric(namespace).slice(0, 8)}-${alphanumeric(name).slice(0, 8)}-`;

/**
 * `k8s-<namespace>-<name>-<hash>`, as in upstream (buildTargetGroupName): the hash covers all properties of a target
 * group that cannot be changed. It also covers the namespace of the Cluster: names are unique in a region, and another
 * tenant's cluster may have the same name.
 */
export const serviceGroupName = (
  cluster: ClusterName,
  { namespace, name }: Pick<Service, 'namespace' | 'name'>,
  { port, nodePort, protocol, check }: { port: number; nodePort: number; protocol: string; check: ServiceHealthCheck },
): string => {
  const facts = [namespace, name, port, nodePort, protocol, 'instance', check.protocol, check.intervalSeconds];
  const hash = createHash('sha1')
    .update(`${cluster.namespace}/${cluster.name}`)
    .update(facts.map(String).join(''))
    .digest('hex');
  return `${serviceGroupPrefix({ namespace, name })}${hash.slice(0, 10)}`;
};
