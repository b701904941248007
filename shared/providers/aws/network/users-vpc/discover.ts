import type { DesiredNetwork, ObservedNetwork } from '../model.ts';
import type { ObservedRouteTable } from '../route-tables/model.ts';
import { DEFAULT_ROUTE, routeTableOf } from '../route-tables/routes.ts';
import { hasSameBlock, isSubnetId } from '../subnets/kinds.ts';
import type { DesiredSubnet, ObservedSubnet } from '../subnets/model.ts';

/** EC2's data about the subnets of a user's VPC. */

/** A subnet of the spec with its observed state. */
export interface DiscoveredSubnet {
  subnet: DesiredSubnet;
  /** `spec.network.subnets[2]`. */
  field: string;
  /** Undefined if the VPC does not contain it. */
  found: ObservedSubnet | undefined;
  /** A subnet uses its own route table, or else the main route table of its VPC. */
  table: ObservedRouteTable | undefined;
}

/** The table that a subnet uses: through its own association, or as the main one of its VPC. */
const effectiveTable = (
  tables: readonly ObservedRouteTable[],
  { id, vpcId }: Pick<ObservedSubnet, 'id' | 'vpcId'>,
): ObservedRouteTable | undefined =>
  routeTableOf(tables, id) ?? tables.find((table) => table.vpcId === vpcId && table.isMain);

/** Whether a table makes its subnets public: it has a route to an internet or carrier gateway. */
export const leadsToInternet = (table: ObservedRouteTable | undefined): boolean =>
  table?.routes.some(({ target, isBlackhole }) => !isBlackhole && /^(igw|cagw)-/.test(target ?? '')) ?? false;

/** The default route of a subnet, through any gateway. */
export const defaultTarget = (table: ObservedRouteTable | undefined): string | undefined =>
  table?.routes.find(({ destination, isBlackhole }) => destination === DEFAULT_ROUTE && !isBlackhole)?.target;

/** The subnet that the spec names by id, or else the one with its range: upstream's order. */
const find = (subnet: DesiredSubnet, candidates: readonly ObservedSubnet[]): ObservedSubnet | undefined => {
  const id = subnet.resourceId ?? subnet.specId;
  const named = candidates.find((one) => one.id === id);
  if (named || isSubnetId(id)) return named;
  return candidates.find((one) => hasSameBlock(subnet, one));
};

/** The subnets of the spec, in its order, with their observed states. */
export const discoverSubnets = (
  desired: Pick<DesiredNetwork, 'subnets'>,
  observed: ObservedNetwork,
  vpcId: string,
): DiscoveredSubnet[] => {
  const candidates = observed.subnets.filter((one) => one.vpcId === vpcId);
  return desired.subnets.map((subnet, index) => {
    const found = find(subnet, candidates);
    const table = found && effectiveTable(observed.routeTables, found);
    return { subnet, field: `spec.network.subnets[${index}]`, found, table };
  });
};

/** As in upstream, a subnet is public by its routes or by a tag. */
export const isPublicSubnet = ({ found, table }: DiscoveredSubnet): boolean =>
  leadsToInternet(table) || found?.tags['sigs.k8s.io/cluster-api-provider-aws/role'] === 'public';

/**
 * The public addresses of the cluster's machines: those of the NAT gateways in its public subnets, and of those to
 * which the default routes of its private subnets lead.
 */
export const unmanagedNatIps = (discovered: readonly DiscoveredSubnet[], observed: ObservedNetwork): string[] => {
  const targets = new Set(discovered.map(({ table }) => defaultTarget(table)));
  const subnetIds = new Set(discovered.map(({ found }) => found?.id));
  const ips = observed.natGateways
    .filter(({ state }) => state === 'pending' || state === 'available')
    .filter(({ id, subnetId }) => targets.has(id) || subnetIds.has(subnetId))
    .flatMap(({ publicIp }) => publicIp ?? []);
  return [...new Set(ips)].sort();
};
