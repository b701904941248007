import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, onlySimulated } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import { arnOf } from '../wire/place.ts';
import { type Cidr, contains, formatCidr, overlaps } from './cidr.ts';
import type { FilterFields } from './filters.ts';
import { KINDS } from './kinds.ts';
import { freeAddresses } from './network-interfaces.ts';
import { describe } from './pages.ts';
import type { Subnet, Vpc } from './records.ts';
import type { Ec2 } from './state.ts';
import { tagList, tagsFor } from './tags.ts';
import { readBlock } from './vpcs.ts';
import { zonesOf } from './zones.ts';

export interface NewSubnet {
  readonly vpc: Vpc;
  readonly cidr: Cidr;
  readonly zone: string;
  readonly isDefault?: boolean;
  readonly tags?: ReadonlyMap<string, string>;
}

/** Makes a subnet; the caller has checked its block. */
export const addSubnet = (ec2: Ec2, { vpc, cidr, zone, isDefault = false, tags }: NewSubnet): Subnet =>
  ec2.subnets.add({
    ...ec2.born(KINDS.subnet, tags),
    vpcId: vpc.id,
    cidr,
    zone,
    isDefault,
    mapPublicIp: isDefault,
    lastOffset: 3,
  });

const checkBlock = (ec2: Ec2, vpc: Vpc, cidr: Cidr): void => {
  if (!contains(vpc.cidr, cidr))
    throw new AwsFault('InvalidSubnet.Range', `The CIDR '${formatCidr(cidr)}' is invalid.`);
  const siblings = ec2.subnets.all().filter(({ vpcId }) => vpcId === vpc.id);
  if (siblings.some((other) => overlaps(other.cidr, cidr)))
    throw new AwsFault('InvalidSubnet.Conflict', `The CIDR '${formatCidr(cidr)}' conflicts with another subnet`);
  if (siblings.length >= ec2.settings.quotas.subnetsPerVpc)
    throw new AwsFault('SubnetLimitExceeded', 'The maximum number of subnets has been reached.');
};

const chooseZone = (ec2: Ec2, name: string | undefined, id: string | undefined): string => {
  const zones = zonesOf(ec2.place.region);
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
  if (ec2.networkInterfaces.all().some(({ subnetId }) => subnetId === subnet.id))
    throw new AwsFault('DependencyViolation', `The subnet '${subnet.id}' has dependencies and cannot be deleted.`);
  for (const table of ec2.routeTables.all())
    table.associations = table.associations.filter(({ subnetId }) => subnetId !== subnet.id);
  ec2.subnets.remove(subnet.id);
};

const zoneIdOf = (ec2: Ec2, zone: string): string | undefined =>
  zonesOf(ec2.place.region).find(({ name }) => name === zone)?.id;

const fieldsFor = (ec2: Ec2): FilterFields<Subnet> => ({
  'subnet-id': ({ id }) => id,
  'vpc-id': ({ vpcId }) => vpcId,
  'availability-zone': ({ zone }) => zone,
  availabilityZone: ({ zone }) => zone,
  'availability-zone-id': ({ zone }) => zoneIdOf(ec2, zone),
  'cidr-block': ({ cidr }) => formatCidr(cidr),
  cidr: ({ cidr }) => formatCidr(cidr),
  'default-for-az': ({ isDefault }) => isDefault,
  'map-public-ip-on-launch': ({ mapPublicIp }) => mapPublicIp,
  'available-ip-address-count': (subnet) => freeAddresses(ec2, subnet),
  state: () => 'available',
});

const view = (ec2: Ec2, subnet: Subnet): sdk.Subnet => ({
  SubnetId: subnet.id,
  SubnetArn: arnOf(ec2.place, 'ec2', `subnet/${subnet.id}`),
  VpcId: subnet.vpcId,
  OwnerId: ec2.place.accountId,
  State: 'available',
  CidrBlock: formatCidr(subnet.cidr),
  AvailabilityZone: subnet.zone,
  AvailabilityZoneId: zoneIdOf(ec2, subnet.zone),
  AvailableIpAddressCount: freeAddresses(ec2, subnet),
  DefaultForAz: subnet.isDefault,
  MapPublicIpOnLaunch: subnet.mapPublicIp,
  AssignIpv6AddressOnCreation: false,
  Ipv6CidrBlockAssociationSet: [],
  Tags: tagList(subnet.tags),
});

/** Subnets, IPv4 only. */
export const subnetActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  CreateSubnet: (input) => {
    const known = ['VpcId', 'CidrBlock', 'AvailabilityZone', 'AvailabilityZoneId', 'TagSpecifications'];
    onlySimulated('ec2:CreateSubnet', input, known);
    const vpc = ec2.vpcs.get(input.VpcId);
    const cidr = readBlock(input.CidrBlock, 'InvalidSubnet.Range');
    const tags = tagsFor(input.TagSpecifications, 'subnet');
    checkBlock(ec2, vpc, cidr);
    const zone = chooseZone(ec2, input.AvailabilityZone, input.AvailabilityZoneId);
    return { Subnet: view(ec2, addSubnet(ec2, { vpc, cidr, zone, tags })) };
  },
  DescribeSubnets: ({ SubnetIds, Filters, MaxResults, NextToken }) => {
    const question = { ids: SubnetIds, filters: Filters, maxResults: MaxResults, nextToken: NextToken };
    const { rows, nextToken } = describe(ec2.subnets, question, fieldsFor(ec2));
    return { Subnets: rows.map((subnet) => view(ec2, subnet)), NextToken: nextToken };
  },
  ModifySubnetAttribute: ({ SubnetId, MapPublicIpOnLaunch, ...others }) => {
    onlySimulated('ec2:ModifySubnetAttribute', others, []);
    const subnet = ec2.subnets.get(SubnetId);
    subnet.mapPublicIp = MapPublicIpOnLaunch?.Value ?? subnet.mapPublicIp;
    return {};
  },
  DeleteSubnet: ({ SubnetId }) => {
    removeSubnet(ec2, ec2.subnets.get(SubnetId));
    return {};
  },
});
