import type { ObservedRouteTable } from '../network/route-tables/model.ts';
import type { ObservedSubnet } from '../network/subnets/model.ts';
import { type ClusterName, cloudProviderTag, namesAnother } from '../tags.ts';
import { AccountProblem, SERVICE_ANNOTATION, ServiceProblem } from './annotations.ts';
import type { DesiredService } from './model.ts';

/** The parts of the cluster's VPC that determine where load balancers are placed. */
export interface ServicePlaces {
  readonly vpcId: string;
  readonly subnets: readonly ObservedSubnet[];
  readonly routeTables: readonly ObservedRouteTable[];
  /** Types of zones by name. Load balancers of this type are only placed in availability zones. */
  readonly zoneTypes: ReadonlyMap<string, string>;
}

const CLUSTER_PREFIX = cloudProviderTag('');
const ROLE = { public: 'kubernetes.io/role/elb', internal: 'kubernetes.io/role/internal-elb' } as const;

/** A subnet of the cluster, or one without the tag of any cluster. */
const isUsable = (cluster: ClusterName, { tags }: ObservedSubnet): boolean =>
  !namesAnother(cluster, tags) &&
  (cloudProviderTag(cluster.name) in tags || !Object.keys(tags).some((key) => key.startsWith(CLUSTER_PREFIX)));

/** A subnet uses its own route table, or else the main route table of its VPC. */
const isPublic = ({ routeTables }: ServicePlaces, subnetId: string): boolean => {
  const own = routeTables.find(({ associations }) => associations.some((one) => one.subnetId === subnetId));
  const table = own ?? routeTables.find(({ isMain }) => isMain);
  return table?.routes.some(({ target }) => target?.startsWith('igw')) ?? false;
};

/** The preferred one of two subnets in a zone: by the role's tag, then by the cluster's tag, then by the smaller id. */
const better = (cluster: ClusterName, role: string, a: ObservedSubnet, b: ObservedSubnet): ObservedSubnet => {
  for (const tag of [role, cloudProviderTag(cluster.name)]) {
    if (tag in a.tags !== tag in b.tags) return tag in a.tags ? a : b;
  }
  return a.id <= b.id ? a : b;
};

/**
 * One subnet in each zone (findELBSubnets): internal load balancers may be in any subnet, and others only in public
 * ones.
 */
const chosen = (cluster: ClusterName, isInternal: boolean, places: ServicePlaces): string[] => {
  const role = isInternal ? ROLE.internal : ROLE.public;
  const byZone = new Map<string, ObservedSubnet>();
  for (const subnet of places.subnets) {
    const { zone, id } = subnet;
    if (!isUsable(cluster, subnet) || (!isInternal && !isPublic(places, id))) continue;
    if ((places.zoneTypes.get(zone) ?? 'availability-zone') !== 'availability-zone') continue;
    const before = byZone.get(zone);
    byZone.set(zone, before ? better(cluster, role, before, subnet) : subnet);
  }
  return [...byZone].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { id }]) => id);
};

/**
 * Subnets that a Service names must be in the cluster's VPC and must not belong to another cluster. Upstream accepts
 * any subnet of the account.
 */
const named = (cluster: ClusterName, names: readonly string[], { subnets, vpcId }: ServicePlaces): string[] =>
  names.map((name) => {
    const own = subnets.filter((subnet) => isUsable(cluster, subnet));
    const found = own.filter(({ id, tags }) => (name.startsWith('subnet-') ? id === name : tags.Name === name));
    if (found[0] && found.length === 1) return found[0].id;
    const problem = found.length > 1 ? 'more than one subnet has this name' : `VPC ${vpcId} has no such subnet to use`;
    throw new AccountProblem(`annotation ${SERVICE_ANNOTATION.subnets}: "${name}": ${problem}`);
  });

/** Where a new load balancer is placed. Throws ServiceProblem. */
export const serviceSubnets = (
  cluster: ClusterName,
  { subnets: names, isInternal, privateAddresses }: Pick<DesiredService, 'subnets' | 'isInternal' | 'privateAddresses'>,
  places: ServicePlaces,
): { subnetId: string; privateAddress?: string }[] => {
  if (names?.length === 0) throw new ServiceProblem(`annotation ${SERVICE_ANNOTATION.subnets}: names no subnet`);
  const ids = names ? named(cluster, names, places) : chosen(cluster, isInternal, places);
  if (ids.length === 0) {
    const kind = isInternal ? '' : 'public ';
    throw new AccountProblem(`there is no ${kind}subnet for the load balancer in VPC ${places.vpcId}`);
  }
  if (privateAddresses && privateAddresses.length !== ids.length) {
    const name = SERVICE_ANNOTATION.privateAddresses;
    throw new ServiceProblem(`annotation ${name}: must have ${ids.length} addresses, one for each subnet`);
  }
  return ids.map((subnetId, index) => {
    const privateAddress = privateAddresses?.[index];
    return { subnetId, ...(privateAddress === undefined ? {} : { privateAddress }) };
  });
};
