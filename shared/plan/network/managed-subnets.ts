import type { DesiredNetwork, NetworkProblem } from './model.ts';

/** What the subnets of a VPC that is ours have to say of themselves before any of them can be made. */
export const managedSubnetProblem = (
  { subnets }: Pick<DesiredNetwork, 'subnets'>,
  isMade: boolean,
): NetworkProblem | undefined => {
  const problem = (message: string): NetworkProblem => ({ condition: 'SubnetsReady', message });
  for (const [index, { specId, zone, cidrBlock, resourceId }] of subnets.entries()) {
    const field = `spec.network.subnets[${index}]`;
    if (!isMade && !resourceId && specId.startsWith('subnet-')) {
      return problem(`${field} names ${specId}, a subnet that is there, but spec.network.vpc.id does not name its VPC`);
    }
    if (!zone) return problem(`${field}.availabilityZone is missing: subnet ${specId} is to be made`);
    if (!cidrBlock) return problem(`${field}.cidrBlock is missing: subnet ${specId} is to be made`);
  }
  // As upstream: the NAT gateways and the load balancer stand in public subnets.
  if (subnets.some(({ isPublic }) => isPublic)) return undefined;
  return problem('spec.network.subnets has no public subnet: at least one is needed');
};
