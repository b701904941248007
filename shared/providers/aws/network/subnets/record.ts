import type { AWSCluster, SubnetSpec } from '../../../../kinds/index.ts';
import { isOwnedBy } from '../../tags.ts';
import type { Found } from '../driver.ts';
import type { DesiredNetwork, ObservedNetwork } from '../model.ts';
import { isLive } from '../nat-gateways/plan.ts';
import { routeTableOf } from '../route-tables/routes.ts';
import { withNetworkSpec } from '../spec.ts';
import { discoverSubnets } from '../users-vpc/discover.ts';
import { withDiscovered } from '../users-vpc/record.ts';
import { withIpv6 } from './ipv6.ts';
import { hasSameBlock, isCoreSubnet } from './kinds.ts';

/** The layout, unless another run was faster or the user has set one. */
export const withLayout = (awsCluster: AWSCluster, subnets: readonly SubnetSpec[]): AWSCluster | undefined =>
  (awsCluster.spec.network?.subnets ?? []).length > 0
    ? undefined
    : withNetworkSpec(awsCluster, (network) => ({ ...network, subnets: [...subnets] }));

/** The user's list of subnets, completed, unless it has been changed meanwhile. */
export const withSubnets = (awsCluster: AWSCluster, subnets: readonly SubnetSpec[]): AWSCluster | undefined => {
  const current = awsCluster.spec.network?.subnets ?? [];
  const isSame = current.length === subnets.length && current.every(({ id }, index) => id === subnets[index]?.id);
  return isSame ? withNetworkSpec(awsCluster, (network) => ({ ...network, subnets: [...subnets] })) : undefined;
};

const withSubnet = (subnet: SubnetSpec, desired: DesiredNetwork, observed: ObservedNetwork): SubnetSpec => {
  const found = observed.subnets.find((one) => hasSameBlock(subnet, one) && isOwnedBy(desired.cluster, one.tags));
  if (!found) return subnet;
  const routeTableId = routeTableOf(observed.routeTables, found.id)?.id;
  const natGatewayId = observed.natGateways.find((gateway) => gateway.subnetId === found.id && isLive(gateway))?.id;
  // An id that the layout gave is replaced by EC2's; one that the user gave stays.
  const isLaidOut = desired.subnets.some(({ specId, tags }) => specId === subnet.id && tags.Name === subnet.id);
  return {
    ...withIpv6(subnet, found.ipv6CidrBlock),
    id: isLaidOut ? found.id : subnet.id,
    resourceID: found.id,
    ...(routeTableId ? { routeTableId } : {}),
    ...(natGatewayId ? { natGatewayId } : {}),
  };
};

/** Zones in which machines can run; control plane machines only where the load balancer can reach them. */
const failureDomains = ({ spec }: AWSCluster) => {
  const { scheme, subnets: named = [] } = spec.controlPlaneLoadBalancer ?? {};
  const subnets = (spec.network?.subnets ?? []).filter(isCoreSubnet);
  const isNamed = ({ id, resourceID = id }: SubnetSpec) => named.includes(id) || named.includes(resourceID);
  const holdsLoadBalancer = (subnet: SubnetSpec) =>
    named.length > 0 ? isNamed(subnet) : (subnet.isPublic ?? false) === (scheme !== 'internal');
  const zonesOf = (some: readonly SubnetSpec[]) => some.flatMap(({ availabilityZone }) => availabilityZone ?? []);
  const reachable = new Set(zonesOf(subnets.filter(holdsLoadBalancer)));
  const zones = [...new Set(zonesOf(subnets.filter(({ isPublic }) => !isPublic)))].sort();
  return Object.fromEntries(zones.map((zone) => [zone, { controlPlane: reachable.has(zone) }]));
};

/** The ids of the subnets and of the resources in them, and the resulting zones. */
export const recordSubnets = (awsCluster: AWSCluster, { desired, observed, vpc, isOwn }: Found): AWSCluster => {
  const written = withNetworkSpec(awsCluster, (network) => ({
    ...network,
    subnets: isOwn
      ? (network.subnets ?? []).map((subnet) => withSubnet(subnet, desired, observed))
      : withDiscovered(network.subnets ?? [], discoverSubnets(desired, observed, vpc.id), observed),
  }));
  return { ...written, status: { ...written.status, failureDomains: failureDomains(written) } };
};
