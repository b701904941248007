import type { DesiredNetwork, NetworkProblem } from '../model.ts';
import { isEdgeZone, isSubnetId } from './kinds.ts';

/** Required settings of the subnets in our own VPC before any of them can be created. */
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
  // As upstream: the NAT gateways and the load balancer are in public subnets.
  if (subnets.some(({ isPublic, zoneType }) => isPublic && !isEdgeZone(zoneType))) return undefined;
  return problem('spec.network.subnets has no public subnet: at least one is needed');
};
