import { type ClusterName, OWNER_TAG, type Tags } from '../../tags.ts';
import { isClustersInstance } from '../ownership/instance.ts';
import type { FoundBalancing } from './plan.ts';

/**
 * Controllers in a cluster tag their resources only with its name. In the cluster's own VPC this suffices. In any other
 * VPC there may be clusters with the same name, from other tenants or other installations, so the name proves nothing.
 */

/**
 * Whether a VPC's tags contain the cluster with its namespace: then everything that controllers have created in it is
 * the cluster's.
 */
export const isProvenVpc = ({ namespace, name }: ClusterName, tags: Tags | undefined): boolean =>
  tags?.[OWNER_TAG] === `${namespace}/${name}`;

/** The targets of load balancers and target groups, by their ids. */
export type Registrations = ReadonlyMap<string, readonly string[]>;

/** The targets of a target group; for a load balancer, those of the groups behind it. */
const targetsOf = (one: FoundBalancing, found: readonly FoundBalancing[], registrations: Registrations): string[] => {
  const behind = one.kind === 'LoadBalancer' ? found.filter(({ balancers }) => balancers?.includes(one.id)) : [one];
  return behind.flatMap(({ id }) => registrations.get(id) ?? []);
};

/**
 * The resources of `found` that are proven to be the cluster's: our own tag contains it with its namespace, or the
 * resource has targets and each is an instance of the cluster. `instances`: the tags of the targets that are instances
 * which EC2 still knows.
 */
export const provenBalancing = (
  cluster: ClusterName,
  found: readonly FoundBalancing[],
  registrations: Registrations,
  instances: ReadonlyMap<string, { tags: Tags }>,
): FoundBalancing[] => {
  const isOwn = (id: string) => isClustersInstance(cluster, instances.get(id)?.tags ?? {});
  return found.filter((one) => {
    if (isProvenVpc(cluster, one.tags)) return true;
    const targets = targetsOf(one, found, registrations);
    return targets.length > 0 && targets.every(isOwn);
  });
};

/** Why a resource with the name of the cluster is kept, for the user who deletes the cluster. */
export const keptGarbageMessage = (vpcId: string, kept: readonly string[]): string =>
  `Kept ${kept.join(', ')}: VPC ${vpcId} is not the cluster's own, and the cluster's name in a tag does not prove who owns them; delete the Services and Ingresses before the cluster, or delete the rest manually`;
