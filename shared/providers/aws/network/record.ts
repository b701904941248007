import type { AWSCluster, NetworkSpec, SubnetSpec } from '../../../kinds/index.ts';
import { isOwnedBy } from '../tags.ts';
import { withIntents } from './intents.ts';
import type { DesiredNetwork, ObservedNetwork } from './model.ts';
import { isLive } from './nat-gateways/plan.ts';
import { withBlocks, withGateways, withIpv6 } from './record-extras.ts';
import { routeTableOf } from './route-tables/plan.ts';
import { securityGroupsByRole } from './security-groups/plan.ts';
import { hasSameBlock, isCoreSubnet } from './subnets/kinds.ts';
import { discoverSubnets, unmanagedNatIps } from './users-vpc/discover.ts';
import { withDiscovered } from './users-vpc/record.ts';
import { chooseVpc } from './vpc/choose.ts';

/** Writes what was found into an AWSCluster, in the fields in which upstream keeps it. All functions are pure. */

const withNetworkSpec = (awsCluster: AWSCluster, change: (network: NetworkSpec) => NetworkSpec): AWSCluster => ({
  ...awsCluster,
  spec: { ...awsCluster.spec, network: change(awsCluster.spec.network ?? {}) },
});

/** The layout, unless somebody was faster or the user has one. */
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

/** The VPC's id. Once there it stays: of two VPCs that two runs made, the one on record wins. */
export const withVpcId = (awsCluster: AWSCluster, id: string): AWSCluster | undefined =>
  awsCluster.spec.network?.vpc?.id
    ? undefined
    : withNetworkSpec(awsCluster, (network) => ({ ...network, vpc: { ...network.vpc, id } }));

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

/** Zones in which machines can run; control plane machines where the load balancer can reach them. */
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

/** Ids of everything, and what the status says of the network. */
export const withNetwork = (awsCluster: AWSCluster, desired: DesiredNetwork, observed: ObservedNetwork): AWSCluster => {
  const choice = chooseVpc(desired, observed.vpcs);
  if (choice.state !== 'ours' && choice.state !== 'unmanaged') return awsCluster;
  const { vpc } = choice;
  const isOurs = choice.state === 'ours';
  const internetGatewayId = observed.internetGateways.find(({ vpcId }) => vpcId === vpc.id)?.id;
  const groups = Object.entries(securityGroupsByRole({ desired, observed }, vpc.id)).map(
    ([role, { id, name, tags }]) => [role, { id, name, tags: { ...tags } }] as const,
  );
  const natIps = isOurs ? liveNatIps(observed) : unmanagedNatIps(discoverSubnets(desired, observed, vpc.id), observed);
  const written = withNetworkSpec(awsCluster, (network) => ({
    ...network,
    vpc: {
      ...withGateways(withBlocks(network.vpc ?? {}, vpc), { desired, observed }, vpc.id),
      id: vpc.id,
      ...(isOurs ? {} : { cidrBlock: vpc.cidrBlock }),
      ...(internetGatewayId ? { internetGatewayId } : {}),
    },
    subnets: isOurs
      ? (network.subnets ?? []).map((subnet) => withSubnet(subnet, desired, observed))
      : withDiscovered(network.subnets ?? [], discoverSubnets(desired, observed, vpc.id), observed),
  }));
  return {
    ...written,
    status: {
      ...written.status,
      failureDomains: failureDomains(written),
      networkStatus: {
        ...written.status?.networkStatus,
        securityGroups: Object.fromEntries(groups),
        ...(natIps.length > 0 ? { natGatewaysIPs: natIps } : {}),
      },
    },
  };
};

/** Public addresses of the NAT gateways that exist, sorted. One that is being made may not show its own yet. */
export const liveNatIps = ({ natGateways, addresses }: ObservedNetwork): string[] =>
  natGateways
    .filter(isLive)
    .flatMap(({ publicIp, allocationId }) => {
      const address = addresses.find((one) => one.allocationId === allocationId);
      return publicIp ?? address?.publicIp ?? [];
    })
    .sort();

/** Without the intents that `keys` selects: what they announced is there. */
export const withoutIntents = (awsCluster: AWSCluster, keys: readonly string[]): AWSCluster => ({
  ...awsCluster,
  metadata: {
    ...awsCluster.metadata,
    annotations: withIntents(awsCluster.metadata.annotations, Object.fromEntries(keys.map((key) => [key, undefined]))),
  },
});
