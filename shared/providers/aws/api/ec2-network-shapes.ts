import type {
  Address,
  InternetGateway,
  IpPermission,
  NatGateway,
  NetworkInterface,
  Route,
  RouteTable,
  SecurityGroup,
  Subnet,
  Vpc,
} from '@aws-sdk/client-ec2';
import type {
  IngressPermission,
  ObservedAddress,
  ObservedInternetGateway,
  ObservedNatGateway,
  ObservedNetworkInterface,
  ObservedRoute,
  ObservedRouteTable,
  ObservedSecurityGroup,
  ObservedSubnet,
  ObservedVpc,
} from '../network/model.ts';
import type { ObservedBlock } from '../network/model-gateways.ts';
import { fromTagList } from '../tags.ts';

/** From the SDK's shapes, in which everything is optional, to the planners'. */

const required = (value: string | undefined, field: string): string => {
  if (value === undefined) throw new Error(`EC2 answered without ${field}`);
  return value;
};

const secondaryBlocks = ({ CidrBlock: first, CidrBlockAssociationSet = [] }: Vpc): ObservedBlock[] =>
  CidrBlockAssociationSet.flatMap(({ AssociationId: associationId, CidrBlock: cidrBlock, CidrBlockState }) => {
    const state = CidrBlockState?.State ?? 'associated';
    if (!associationId || !cidrBlock || cidrBlock === first || !/^associat/.test(state)) return [];
    return [{ associationId, cidrBlock, isAssociated: state === 'associated' }];
  });

const ipv6Blocks = ({ Ipv6CidrBlockAssociationSet = [] }: Vpc): ObservedBlock[] =>
  Ipv6CidrBlockAssociationSet.flatMap(({ AssociationId, Ipv6CidrBlock, Ipv6CidrBlockState, Ipv6Pool }) => {
    const state = Ipv6CidrBlockState?.State ?? 'associated';
    if (!AssociationId || !/^associat/.test(state)) return [];
    return [
      {
        associationId: AssociationId,
        cidrBlock: Ipv6CidrBlock ?? '',
        ...(Ipv6Pool ? { poolId: Ipv6Pool } : {}),
        isAssociated: state === 'associated' && Ipv6CidrBlock !== undefined,
      },
    ];
  });

export const toVpc = (vpc: Vpc): ObservedVpc => ({
  id: required(vpc.VpcId, 'VpcId'),
  cidrBlock: vpc.CidrBlock ?? '',
  secondary: secondaryBlocks(vpc),
  ipv6: ipv6Blocks(vpc),
  tags: fromTagList(vpc.Tags),
});

const subnetIpv6 = ({ Ipv6CidrBlockAssociationSet = [] }: Subnet): string | undefined =>
  Ipv6CidrBlockAssociationSet.find(({ Ipv6CidrBlockState: state }) => state?.State === 'associated')?.Ipv6CidrBlock;

export const toSubnet = (subnet: Subnet): ObservedSubnet => ({
  id: required(subnet.SubnetId, 'SubnetId'),
  vpcId: subnet.VpcId ?? '',
  zone: subnet.AvailabilityZone ?? '',
  cidrBlock: subnet.CidrBlock ?? '',
  ipv6CidrBlock: subnetIpv6(subnet),
  assignsIpv6: subnet.AssignIpv6AddressOnCreation ?? false,
  hasDns64: subnet.EnableDns64 ?? false,
  hostnameType: subnet.PrivateDnsNameOptionsOnLaunch?.HostnameType,
  mapsPublicIp: subnet.MapPublicIpOnLaunch ?? false,
  tags: fromTagList(subnet.Tags),
});

export const toInternetGateway = ({
  InternetGatewayId,
  Attachments,
  Tags,
}: InternetGateway): ObservedInternetGateway => {
  const vpcId = Attachments?.find(({ State }) => State !== 'detached')?.VpcId;
  return {
    id: required(InternetGatewayId, 'InternetGatewayId'),
    ...(vpcId === undefined ? {} : { vpcId }),
    tags: fromTagList(Tags),
  };
};

/** Of fields that exclude each other. EC2 may answer with an empty element for what does not apply. */
const firstOf = (...values: readonly (string | undefined)[]): string | undefined => values.find(Boolean);

const targetOf = (route: Route): string | undefined =>
  firstOf(
    route.NatGatewayId,
    route.GatewayId,
    route.EgressOnlyInternetGatewayId,
    route.CarrierGatewayId,
    route.TransitGatewayId,
    route.NetworkInterfaceId,
    route.VpcPeeringConnectionId,
  );

const toRoute = (route: Route): ObservedRoute => ({
  destination: firstOf(route.DestinationCidrBlock, route.DestinationIpv6CidrBlock, route.DestinationPrefixListId) ?? '',
  target: targetOf(route),
  isBlackhole: route.State === 'blackhole',
});

export const toRouteTable = ({
  RouteTableId,
  VpcId,
  Associations = [],
  Routes = [],
  Tags,
}: RouteTable): ObservedRouteTable => ({
  id: required(RouteTableId, 'RouteTableId'),
  vpcId: VpcId ?? '',
  isMain: Associations.some(({ Main }) => Main),
  tags: fromTagList(Tags),
  routes: Routes.map(toRoute),
  associations: Associations.flatMap(({ RouteTableAssociationId: id, SubnetId: subnetId, AssociationState }) =>
    id && subnetId && AssociationState?.State !== 'disassociated' ? [{ id, subnetId }] : [],
  ),
});

export const toNatGateway = (gateway: NatGateway): ObservedNatGateway => {
  const [address] = gateway.NatGatewayAddresses ?? [];
  return {
    id: required(gateway.NatGatewayId, 'NatGatewayId'),
    vpcId: gateway.VpcId ?? '',
    subnetId: gateway.SubnetId ?? '',
    state: gateway.State ?? 'pending',
    allocationId: address?.AllocationId,
    publicIp: address?.PublicIp,
    ...(gateway.FailureCode ? { failure: `${gateway.FailureCode}: ${gateway.FailureMessage ?? ''}` } : {}),
    tags: fromTagList(gateway.Tags),
  };
};

export const toAddress = ({
  AllocationId,
  PublicIp,
  AssociationId,
  NetworkInterfaceId,
  Tags,
}: Address): ObservedAddress => ({
  allocationId: required(AllocationId, 'AllocationId'),
  publicIp: PublicIp ?? '',
  isAssociated: firstOf(AssociationId, NetworkInterfaceId) !== undefined,
  tags: fromTagList(Tags),
});

/** One for each source of a rule. A rule for a prefix list has the list's id as its source. */
const toPermissions = (rule: IpPermission): IngressPermission[] => {
  const { IpProtocol: protocol = '-1', FromPort: fromPort, ToPort: toPort } = rule;
  const of = (source: string | undefined, description: string | undefined): IngressPermission[] =>
    source === undefined ? [] : [{ protocol, fromPort, toPort, source, ...(description ? { description } : {}) }];
  return [
    ...(rule.IpRanges ?? []).flatMap(({ CidrIp, Description }) => of(CidrIp, Description)),
    ...(rule.Ipv6Ranges ?? []).flatMap(({ CidrIpv6, Description }) => of(CidrIpv6, Description)),
    ...(rule.UserIdGroupPairs ?? []).flatMap(({ GroupId, Description }) => of(GroupId, Description)),
    ...(rule.PrefixListIds ?? []).flatMap(({ PrefixListId, Description }) => of(PrefixListId, Description)),
  ];
};

export const toSecurityGroup = (group: SecurityGroup): ObservedSecurityGroup => ({
  id: required(group.GroupId, 'GroupId'),
  vpcId: group.VpcId ?? '',
  name: group.GroupName ?? '',
  tags: fromTagList(group.Tags),
  ingress: (group.IpPermissions ?? []).flatMap(toPermissions),
  hasEgress: (group.IpPermissionsEgress ?? []).length > 0,
  egressGroupIds: (group.IpPermissionsEgress ?? []).flatMap(({ UserIdGroupPairs = [] }) =>
    UserIdGroupPairs.flatMap(({ GroupId }) => GroupId ?? []),
  ),
});

export const toNetworkInterface = (one: NetworkInterface): ObservedNetworkInterface => ({
  id: required(one.NetworkInterfaceId, 'NetworkInterfaceId'),
  vpcId: one.VpcId ?? '',
  subnetId: one.SubnetId ?? '',
  description: one.Description ?? '',
  groupIds: (one.Groups ?? []).flatMap(({ GroupId }) => GroupId ?? []),
  ...(one.Attachment?.InstanceId ? { instanceId: one.Attachment.InstanceId } : {}),
});

const sourceField = (source: string, description: string | undefined): IpPermission => {
  const Description = description;
  if (source.startsWith('sg-')) return { UserIdGroupPairs: [{ GroupId: source, Description }] };
  if (source.startsWith('pl-')) return { PrefixListIds: [{ PrefixListId: source, Description }] };
  if (source.includes(':')) return { Ipv6Ranges: [{ CidrIpv6: source, Description }] };
  return { IpRanges: [{ CidrIp: source, Description }] };
};

/** To the SDK's shape, one rule a source. EC2 wants ports -1 where a protocol has none. */
export const fromPermission = ({
  protocol,
  fromPort,
  toPort,
  source,
  description,
}: IngressPermission): IpPermission => ({
  IpProtocol: protocol,
  FromPort: fromPort ?? -1,
  ToPort: toPort ?? -1,
  ...sourceField(source, description),
});
