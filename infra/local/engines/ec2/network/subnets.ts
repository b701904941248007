import type * as sdk from '@aws-sdk/client-ec2';
import { type Cidr, contains, formatCidr, overlaps } from '../../../../../shared/cidr.ts';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import { arnOf } from '../../wire/place.ts';
import type { FilterFields } from '../filters.ts';
import { KINDS } from '../kinds.ts';
import { describe } from '../pages.ts';
import type { Subnet, Vpc } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagList, tagsFor } from '../tags.ts';
import { openZones, zoneNamed } from '../zones.ts';
import { freeAddresses } from './network-interfaces.ts';
import { modifySubnet } from './subnet-attributes.ts';
import { readBlock, readBlock6 } from './vpc-blocks.ts';

export interface NewSubnet {
  readonly vpc: Vpc;
  readonly cidr: Cidr | undefined;
  readonly ipv6?: Cidr;
  readonly zone: string;
  readonly isDefault?: boolean;
  readonly tags?: ReadonlyMap<string, string>;
}

/** Creates a subnet; the caller has validated its block. */
export const addSubnet = (ec2: Ec2, { vpc, cidr, ipv6, zone, isDefault = false, tags }: NewSubnet): Subnet =>
  ec2.subnets.add({
    ...ec2.born(KINDS.subnet, tags),
    vpcId: vpc.id,
    cidr,
    ipv6: ipv6 && { id: ec2.newId('subnet-cidr-assoc'), block: ipv6 },
    zone,
    isDefault,
    mapPublicIp: isDefault,
    // An IPv6-only subnet has no other addresses, and none from which to derive a name.
    assignIpv6: cidr === undefined,
    dns64: false,
    hostnameType: cidr === undefined ? 'resource-name' : 'ip-name',
    resourceNameA: false,
    resourceNameAAAA: false,
    lastOffset: 3,
  });

const checkBlock = (ec2: Ec2, vpc: Vpc, cidr: Cidr): void => {
  const blocks = [vpc.cidr, ...vpc.secondary.map(({ block }) => block)];
  if (!blocks.some((block) => contains(block, cidr)))
    throw new AwsFault('InvalidSubnet.Range', `The CIDR '${formatCidr(cidr)}' is invalid.`);
  const siblings = ec2.subnets.of(vpc.id);
  if (siblings.some((other) => other.cidr && overlaps(other.cidr, cidr)))
    throw new AwsFault('InvalidSubnet.Conflict', `The CIDR '${formatCidr(cidr)}' conflicts with another subnet`);
};

const checkBlock6 = (ec2: Ec2, vpc: Vpc, block: Cidr): void => {
  const text = formatCidr(block);
  const isInside = vpc.ipv6.some((one) => contains(one.block, block));
  if (block.prefix < 44 || block.prefix > 64 || block.prefix % 4 !== 0 || !isInside)
    throw new AwsFault('InvalidSubnet.Range', `The CIDR '${text}' is invalid.`);
  const siblings = ec2.subnets.of(vpc.id);
  if (siblings.some(({ ipv6 }) => ipv6 && overlaps(ipv6.block, block)))
    throw new AwsFault('InvalidSubnet.Conflict', `The CIDR '${text}' conflicts with another subnet`);
};

const checkCount = (ec2: Ec2, vpc: Vpc): void => {
  const siblings = ec2.subnets.of(vpc.id);
  if (siblings.length >= ec2.settings.quotas.subnetsPerVpc)
    throw new AwsFault('SubnetLimitExceeded', 'The maximum number of subnets has been reached.');
};

/** The blocks of a new subnet: IPv4, both, or IPv6 only with `Ipv6Native`. */
const blocksOf = (ec2: Ec2, vpc: Vpc, input: sdk.CreateSubnetRequest): Pick<NewSubnet, 'cidr' | 'ipv6'> => {
  if (input.Ipv6Native && (input.CidrBlock || !input.Ipv6CidrBlock))
    throw new AwsFault('InvalidParameterCombination', 'An IPv6 native subnet has an IPv6 CIDR block and no IPv4 one.');
  const cidr = input.Ipv6Native ? undefined : readBlock(input.CidrBlock, 'InvalidSubnet.Range');
  const ipv6 = input.Ipv6CidrBlock ? readBlock6(input.Ipv6CidrBlock) : undefined;
  if (cidr) checkBlock(ec2, vpc, cidr);
  if (ipv6) checkBlock6(ec2, vpc, ipv6);
  checkCount(ec2, vpc);
  return { cidr, ipv6 };
};

const chooseZone = (ec2: Ec2, name: string | undefined, id: string | undefined): string => {
  const zones = openZones(ec2);
  if (name === undefined && id === undefined) return zones[0]?.name ?? '';
  const found = zones.find(
    (zone) => (name === undefined || zone.name === name) && (id === undefined || zone.id === id),
  );
  if (found) return found.name;
  const known = zones.map((zone) => zone.name).join(', ');
  throw new AwsFault(
    'InvalidParameterValue',
    `Value (${name ?? id}) for parameter availabilityZone is invalid. Subnets can currently only be created in the following availability zones: ${known}.`,
  );
};

const removeSubnet = (ec2: Ec2, subnet: Subnet): void => {
  if (ec2.networkInterfaces.of(subnet.id).length > 0)
    throw new AwsFault('DependencyViolation', `The subnet '${subnet.id}' has dependencies and cannot be deleted.`);
  for (const table of ec2.routeTables.all())
    table.associations = table.associations.filter(({ subnetId }) => subnetId !== subnet.id);
  ec2.subnets.remove(subnet.id);
};

const zoneIdOf = (ec2: Ec2, zone: string): string | undefined => zoneNamed(ec2.place.region, zone)?.id;

const fieldsFor = (ec2: Ec2): FilterFields<Subnet> => ({
  'subnet-id': ({ id }) => id,
  'vpc-id': ({ vpcId }) => vpcId,
  'availability-zone': ({ zone }) => zone,
  availabilityZone: ({ zone }) => zone,
  'availability-zone-id': ({ zone }) => zoneIdOf(ec2, zone),
  'cidr-block': ({ cidr }) => cidr && formatCidr(cidr),
  cidr: ({ cidr }) => cidr && formatCidr(cidr),
  'ipv6-cidr-block-association.ipv6-cidr-block': ({ ipv6 }) => ipv6 && formatCidr(ipv6.block),
  'ipv6-native': ({ cidr }) => cidr === undefined,
  'default-for-az': ({ isDefault }) => isDefault,
  'map-public-ip-on-launch': ({ mapPublicIp }) => mapPublicIp,
  'available-ip-address-count': (subnet) => freeAddresses(ec2, subnet),
  state: () => 'available',
});

const view = (ec2: Ec2, subnet: Subnet): sdk.Subnet => ({
  SubnetId: subnet.id,
  SubnetArn: arnOf(ec2.place, 'ec2', `subnet/${subnet.id}`),
  VpcId: subnet.vpcId,
  OwnerId: subnet.sharedBy ?? ec2.place.accountId,
  State: 'available',
  CidrBlock: subnet.cidr && formatCidr(subnet.cidr),
  AvailabilityZone: subnet.zone,
  AvailabilityZoneId: zoneIdOf(ec2, subnet.zone),
  AvailableIpAddressCount: freeAddresses(ec2, subnet),
  DefaultForAz: subnet.isDefault,
  MapPublicIpOnLaunch: subnet.mapPublicIp,
  AssignIpv6AddressOnCreation: subnet.assignIpv6,
  EnableDns64: subnet.dns64,
  Ipv6Native: subnet.cidr === undefined,
  Ipv6CidrBlockAssociationSet: subnet.ipv6
    ? [
        {
          AssociationId: subnet.ipv6.id,
          Ipv6CidrBlock: formatCidr(subnet.ipv6.block),
          Ipv6CidrBlockState: { State: 'associated' },
        },
      ]
    : [],
  PrivateDnsNameOptionsOnLaunch: {
    HostnameType: subnet.hostnameType,
    EnableResourceNameDnsARecord: subnet.resourceNameA,
    EnableResourceNameDnsAAAARecord: subnet.resourceNameAAAA,
  },
  Tags: tagList(subnet.tags),
});

const KNOWN = [
  'VpcId',
  'CidrBlock',
  'Ipv6CidrBlock',
  'Ipv6Native',
  'AvailabilityZone',
  'AvailabilityZoneId',
  'TagSpecifications',
];

/** Subnets with IPv4, with both, or with IPv6 only. */
export const subnetActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  CreateSubnet: (input) => {
    onlySimulated('ec2:CreateSubnet', input, KNOWN);
    const vpc = ec2.vpcs.get(input.VpcId);
    const tags = tagsFor(input.TagSpecifications, 'subnet');
    const blocks = blocksOf(ec2, vpc, input);
    const zone = chooseZone(ec2, input.AvailabilityZone, input.AvailabilityZoneId);
    return { Subnet: view(ec2, addSubnet(ec2, { vpc, ...blocks, zone, tags })) };
  },
  DescribeSubnets: ({ SubnetIds, Filters, MaxResults, NextToken }) => {
    const question = { ids: SubnetIds, filters: Filters, maxResults: MaxResults, nextToken: NextToken };
    const { rows, nextToken } = describe(ec2.subnets, question, fieldsFor(ec2));
    return { Subnets: rows.map((subnet) => view(ec2, subnet)), NextToken: nextToken };
  },
  ModifySubnetAttribute: (input) => {
    modifySubnet(ec2, input);
    return {};
  },
  DeleteSubnet: ({ SubnetId }) => {
    removeSubnet(ec2, ec2.subnets.get(SubnetId));
    return {};
  },
});
