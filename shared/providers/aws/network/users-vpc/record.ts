import type { SubnetSpec } from '../../../../kinds/index.ts';
import type { ObservedNetwork } from '../model.ts';
import { withIpv6 } from '../subnets/ipv6.ts';
import { type DiscoveredSubnet, isPublicSubnet } from './discover.ts';

const withFound = (subnet: SubnetSpec, one: DiscoveredSubnet | undefined, observed: ObservedNetwork): SubnetSpec => {
  if (!one?.found) return subnet;
  const { found, table } = one;
  const gateway = observed.natGateways.find(
    ({ subnetId, state }) => subnetId === found.id && (state === 'pending' || state === 'available'),
  );
  return {
    ...withIpv6(subnet, found.ipv6CidrBlock),
    resourceID: found.id,
    availabilityZone: found.zone,
    ...(found.cidrBlock ? { cidrBlock: found.cidrBlock } : {}),
    isPublic: isPublicSubnet(one),
    ...(table ? { routeTableId: table.id } : {}),
    ...(gateway ? { natGatewayId: gateway.id } : {}),
  };
};

/** Records the subnets of a user's VPC with their observed properties, as upstream does. */
export const withDiscovered = (
  subnets: readonly SubnetSpec[],
  discovered: readonly DiscoveredSubnet[],
  observed: ObservedNetwork,
): SubnetSpec[] =>
  subnets.map((subnet) =>
    withFound(
      subnet,
      discovered.find((one) => one.subnet.specId === subnet.id),
      observed,
    ),
  );
