import { isOwnedBy } from '../../tags.ts';
import type { DesiredNetwork, NetworkProblem } from '../model.ts';
import { hasSameBlock, isEdgeZone, isSubnetId } from './kinds.ts';
import type { DesiredSubnet, ObservedSubnet } from './model.ts';

/** Checks the required settings of the subnets in our own VPC before any of them can be created. */
export const managedSubnetProblem = (
  { subnets }: Pick<DesiredNetwork, 'subnets'>,
  isMade: boolean,
): NetworkProblem | undefined => {
  const problem = (message: string): NetworkProblem => ({ condition: 'SubnetsReady', message });
  for (const [index, { specId, zone, cidrBlock, ipv6CidrBlock, zoneType, resourceId }] of subnets.entries()) {
    const field = `spec.network.subnets[${index}]`;
    if (!isMade && !resourceId && isSubnetId(specId)) {
      return problem(`${field} names ${specId}, an existing subnet, but spec.network.vpc.id does not name its VPC`);
    }
    if (!zone)
      return problem(`${field}.availabilityZone is missing: subnet ${specId} does not exist and is to be created`);
    if (ipv6CidrBlock && isEdgeZone(zoneType)) {
      return problem(`${field}.isIpv6: there is no IPv6 in a zone of type ${zoneType}`);
    }
    if (!cidrBlock && !ipv6CidrBlock)
      return problem(`${field}.cidrBlock is missing: subnet ${specId} does not exist and is to be created`);
  }
  // As in upstream, the NAT gateways and the load balancer are in public subnets.
  if (subnets.some(({ isPublic, zoneType }) => isPublic && !isEdgeZone(zoneType))) return undefined;
  return problem('spec.network.subnets has no public subnet: at least one is needed');
};

/** Whether a subnet was created for an entry: according to the record, or to the entry's id, which is its Name tag. */
const wasMadeFor =
  ({ resourceId, specId }: DesiredSubnet) =>
  ({ id, tags }: ObservedSubnet): boolean =>
    id === resourceId || tags.Name === specId;

/**
 * Entries whose subnets exist with another block or in another zone, which EC2 cannot change. Upstream writes the
 * former values to the spec again; if the record is missing because a manifest was applied, it creates a second subnet.
 */
export const changedSubnetProblem = (
  { cluster, subnets }: Pick<DesiredNetwork, 'cluster' | 'subnets'>,
  all: readonly ObservedSubnet[],
  vpcId: string,
): NetworkProblem | undefined => {
  const ours = all.filter((one) => one.vpcId === vpcId && isOwnedBy(cluster, one.tags));
  const free = ours.filter((one) => !subnets.some((subnet) => hasSameBlock(subnet, one)));
  for (const [index, subnet] of subnets.entries()) {
    const { specId, cidrBlock, ipv6CidrBlock = '', zone } = subnet;
    const field = `spec.network.subnets[${index}]`;
    const problem = (name: string, asked: string, id: string, is: string): NetworkProblem => ({
      condition: 'SubnetsReady',
      message: `${field}.${name} is ${asked}, but ${id}, which was created for ${specId}, has ${is}: EC2 cannot change it, so restore the value, or give the new subnet another id`,
    });
    const same = ours.find((one) => hasSameBlock(subnet, one));
    const former = same ? undefined : free.find(wasMadeFor(subnet));
    if (same && same.zone !== zone) return problem('availabilityZone', zone, same.id, same.zone);
    if (former && cidrBlock) return problem('cidrBlock', cidrBlock, former.id, former.cidrBlock || 'none');
    if (former) return problem('ipv6CidrBlock', ipv6CidrBlock, former.id, former.ipv6CidrBlock ?? 'none');
  }
  return undefined;
};
