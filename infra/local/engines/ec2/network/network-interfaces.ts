import type * as sdk from '@aws-sdk/client-ec2';
import { addressAt, type Cidr, parseCidr, sizeOf } from '../../../../../shared/cidr.ts';
import { AwsFault, notSimulated, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import { randomHex } from '../../wire/place.ts';
import type { FilterFields } from '../filters.ts';
import { KINDS } from '../kinds.ts';
import { describe } from '../pages.ts';
import type { NetworkInterface, Subnet } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagList } from '../tags.ts';

/** AWS keeps the first four addresses of a subnet and the last one. */
const RESERVED_FIRST = 4;
const RESERVED = 5;

const interfacesIn = (ec2: Ec2, subnetId: string): NetworkInterface[] => ec2.networkInterfaces.of(subnetId);

/** The number of free addresses in a subnet. */
export const freeAddresses = (ec2: Ec2, subnet: Subnet): number =>
  subnet.cidr ? Number(sizeOf(subnet.cidr)) - RESERVED - interfacesIn(ec2, subnet.id).length : 0;

const offsetOf = (cidr: Cidr, address: string): number => {
  const own = parseCidr(`${address}/32`, 4);
  const offset = own ? Number(own.first - cidr.first) : -1;
  if (offset < RESERVED_FIRST || offset > Number(sizeOf(cidr)) - 2)
    throw new AwsFault('InvalidParameterValue', `Address ${address} does not fall within the subnet's address range`);
  return offset;
};

const takeAddress = (ec2: Ec2, subnet: Subnet, wanted: string | undefined): string => {
  const { cidr } = subnet;
  if (!cidr) throw notSimulated('a network interface in an IPv6-only subnet');
  const taken = new Set(interfacesIn(ec2, subnet.id).map(({ privateIp }) => privateIp));
  const usable = Number(sizeOf(cidr)) - RESERVED;
  if (taken.size >= usable)
    throw new AwsFault(
      'InsufficientFreeAddressesInSubnet',
      `There are not enough free addresses in subnet '${subnet.id}' to satisfy the requested number of instances.`,
    );
  if (wanted !== undefined) {
    offsetOf(cidr, wanted);
    if (taken.has(wanted)) throw new AwsFault('InvalidIPAddress.InUse', `Address ${wanted} is in use.`);
    return wanted;
  }
  let address: string;
  do {
    subnet.lastOffset = subnet.lastOffset + 1 > usable + RESERVED_FIRST - 1 ? RESERVED_FIRST : subnet.lastOffset + 1;
    address = addressAt(cidr, subnet.lastOffset);
  } while (taken.has(address));
  return address;
};

/** An address in a /64 block with four random groups at the end, as EC2 assigns it. */
const newIpv6 = (ec2: Ec2, block: Cidr): string => addressAt(block, BigInt(`0x${randomHex(ec2.place.random, 16)}`));

export interface NewInterface {
  readonly subnet: Subnet;
  readonly description: string;
  readonly interfaceType: NetworkInterface['interfaceType'];
  readonly groupIds?: readonly string[];
  readonly instanceId?: string;
  readonly publicIp?: string;
  /** Whether it gets an IPv6 address; by default, for instances, the subnet decides. */
  readonly hasIpv6?: boolean;
  readonly hasPrimaryIpv6?: boolean;
  /** A private address that the caller chose. */
  readonly privateIp?: string;
  readonly tags?: ReadonlyMap<string, string>;
}

/**
 * Creates an interface with an address of the subnet. Throws InsufficientFreeAddressesInSubnet or
 * InvalidIPAddress.InUse.
 */
export const addInterface = (ec2: Ec2, wanted: NewInterface): NetworkInterface => {
  const { subnet } = wanted;
  const privateIp = takeAddress(ec2, subnet, wanted.privateIp);
  const isIpv6 = wanted.hasIpv6 ?? (wanted.instanceId !== undefined && subnet.assignIpv6);
  const octets = randomHex(ec2.place.random, 10).match(/../g) ?? [];
  return ec2.networkInterfaces.add({
    ...ec2.born(KINDS.networkInterface, wanted.tags),
    vpcId: subnet.vpcId,
    subnetId: subnet.id,
    zone: subnet.zone,
    description: wanted.description,
    interfaceType: wanted.interfaceType,
    privateIp,
    ipv6: isIpv6 && subnet.ipv6 ? newIpv6(ec2, subnet.ipv6.block) : undefined,
    isPrimaryIpv6: wanted.hasPrimaryIpv6 ?? false,
    macAddress: ['02', ...octets].join(':'),
    publicIp: wanted.publicIp,
    instanceId: wanted.instanceId,
    attachmentId: ec2.newId('eni-attach'),
    groupIds: [...(wanted.groupIds ?? [])],
    releasedAt: undefined,
  });
};

const fields: FilterFields<NetworkInterface> = {
  'network-interface-id': ({ id }) => id,
  'vpc-id': ({ vpcId }) => vpcId,
  'subnet-id': ({ subnetId }) => subnetId,
  'availability-zone': ({ zone }) => zone,
  'private-ip-address': ({ privateIp }) => privateIp,
  'addresses.private-ip-address': ({ privateIp }) => privateIp,
  'association.public-ip': ({ publicIp }) => publicIp,
  'ipv6-addresses.ipv6-address': ({ ipv6 }) => ipv6,
  description: ({ description }) => description,
  'group-id': ({ groupIds }) => groupIds,
  'interface-type': ({ interfaceType }) => interfaceType,
  'attachment.instance-id': ({ instanceId }) => instanceId,
  'attachment.attachment-id': ({ attachmentId }) => attachmentId,
  'requester-managed': ({ instanceId }) => instanceId === undefined,
  status: () => 'in-use',
};

const view = (ec2: Ec2, row: NetworkInterface): sdk.NetworkInterface => ({
  NetworkInterfaceId: row.id,
  VpcId: row.vpcId,
  SubnetId: row.subnetId,
  AvailabilityZone: row.zone,
  Description: row.description,
  // The SDK has `natGateway`, but the service answers with `nat_gateway`.
  InterfaceType: row.interfaceType as sdk.NetworkInterfaceType,
  OwnerId: ec2.place.accountId,
  MacAddress: row.macAddress,
  PrivateIpAddress: row.privateIp,
  PrivateIpAddresses: [{ Primary: true, PrivateIpAddress: row.privateIp }],
  Ipv6Addresses: row.ipv6 === undefined ? [] : [{ Ipv6Address: row.ipv6, IsPrimaryIpv6: row.isPrimaryIpv6 }],
  RequesterManaged: row.instanceId === undefined,
  SourceDestCheck:
    row.interfaceType === 'interface' && ec2.instances.find(row.instanceId ?? '')?.sourceDestCheck !== false,
  Status: 'in-use',
  Association: row.publicIp === undefined ? undefined : { PublicIp: row.publicIp, IpOwnerId: 'amazon' },
  Attachment: {
    AttachmentId: row.attachmentId,
    DeleteOnTermination: true,
    DeviceIndex: row.instanceId === undefined ? 1 : 0,
    InstanceId: row.instanceId,
    InstanceOwnerId: row.instanceId === undefined ? 'amazon-aws' : ec2.place.accountId,
    Status: 'attached',
    AttachTime: new Date(row.createdAt),
  },
  Groups: row.groupIds.map((GroupId) => ({ GroupId, GroupName: ec2.securityGroups.find(GroupId)?.name })),
  TagSet: tagList(row.tags),
});

/** The interfaces of instances, NAT gateways and load balancers. */
export const networkInterfaceActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  DescribeNetworkInterfaces: ({ NetworkInterfaceIds, Filters, MaxResults, NextToken }) => {
    const question = { ids: NetworkInterfaceIds, filters: Filters, maxResults: MaxResults, nextToken: NextToken };
    const { rows, nextToken } = describe(ec2.networkInterfaces, question, fields);
    return { NetworkInterfaces: rows.map((row) => view(ec2, row)), NextToken: nextToken };
  },
  ModifyNetworkInterfaceAttribute: (input) => {
    onlySimulated('ec2:ModifyNetworkInterfaceAttribute', input, ['NetworkInterfaceId', 'Groups']);
    const row = ec2.networkInterfaces.get(input.NetworkInterfaceId);
    const groups = (input.Groups ?? []).map((id) => ec2.securityGroups.get(id));
    if (groups.length === 0) throw new AwsFault('InvalidParameterValue', 'At least one security group is required.');
    if (groups.some(({ vpcId }) => vpcId !== row.vpcId))
      throw new AwsFault(
        'InvalidParameterValue',
        'You have specified two resources that belong to different networks.',
      );
    row.groupIds = groups.map(({ id }) => id);
    return {};
  },
});
