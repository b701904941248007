import type { AWSCluster, SubnetSpec } from '../../../../kinds/index.ts';
import { isOwnedBy } from '../../tags.ts';
import type { Found } from '../driver.ts';
import type { DesiredNetwork, ObservedNetwork } from '../model.ts';
import { isLive } from '../nat-gateways/plan.ts';
import { routeTableOf } from '../route-tables/routes.ts';
import { withNetworkSpec } from '../spec.ts';
import { discoverSubnets } from '../users-vpc/discover.ts';
import { withDiscovered } from '../users-vpc/record.ts';
import { withFailureDomains } from './failure-domains.ts';
import { withIpv6 } from './ipv6.ts';
import { hasSameBlock } from './kinds.ts';
import { givenName, subnetName } from './names.ts';

/** Records the layout, unless another run was faster or the user has set one. */
export const withLayout = (awsCluster: AWSCluster, subnets: readonly SubnetSpec[]): AWSCluster | undefined =>
  (awsCluster.spec.network?.subnets ?? []).length > 0
    ? undefined
    : withNetworkSpec(awsCluster, (network) => ({ ...network, subnets: [...subnets] }));

/** Records the completed list of the user's subnets, unless it has been changed in the meantime. */
export const withSubnets = (awsCluster: AWSCluster, subnets: readonly SubnetSpec[]): AWSCluster | undefined => {
  const current = awsCluster.spec.network?.subnets ?? [];
  const isSame = current.length === subnets.length && current.every(({ id }, index) => id === subnets[index]?.id);
  return isSame ? withNetworkSpec(awsCluster, (network) => ({ ...network, subnets: [...subnets] })) : undefined;
};

/**
 * Adds the name with which the subnet was created, if that is the user's id. As in upstream, it is a tag from then on,
 * which distinguishes it from subnets of earlier versions.
 */
const withName = (subnet: SubnetSpec, { cluster, subnets }: DesiredNetwork): SubnetSpec => {
  const { isPublic = false, availabilityZone = '', tags } = subnet;
  const name = subnets.find(({ specId }) => specId === subnet.id)?.tags.Name;
  const isOwn = name === givenName(subnet) && name !== subnetName(cluster.name, isPublic, availabilityZone);
  return isOwn && name !== undefined ? { ...subnet, tags: { ...tags, Name: name } } : subnet;
};

const withSubnet = (subnet: SubnetSpec, desired: DesiredNetwork, observed: ObservedNetwork): SubnetSpec => {
  const found = observed.subnets.find((one) => hasSameBlock(subnet, one) && isOwnedBy(desired.cluster, one.tags));
  if (!found) return subnet;
  const routeTableId = routeTableOf(observed.routeTables, found.id)?.id;
  const natGatewayId = observed.natGateways.find((gateway) => gateway.subnetId === found.id && isLive(gateway))?.id;
  return {
    // The id is kept, because the list is merged by it: with another id, a user's next apply would add a second entry.
    ...withIpv6(withName(subnet, desired), found.ipv6CidrBlock),
    resourceID: found.id,
    ...(routeTableId ? { routeTableId } : {}),
    ...(natGatewayId ? { natGatewayId } : {}),
  };
};

/** Records the ids of the subnets and of the resources in them, and the resulting zones. */
export const recordSubnets = (awsCluster: AWSCluster, { desired, observed, vpc, isOwn }: Found): AWSCluster => {
  const written = withNetworkSpec(awsCluster, (network) => ({
    ...network,
    subnets: isOwn
      ? (network.subnets ?? []).map((subnet) => withSubnet(subnet, desired, observed))
      : withDiscovered(network.subnets ?? [], discoverSubnets(desired, observed, vpc.id), observed),
  }));
  return withFailureDomains(written);
};
