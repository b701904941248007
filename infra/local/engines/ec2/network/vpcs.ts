import type * as sdk from '@aws-sdk/client-ec2';
import { type Cidr, formatCidr } from '../../../../../shared/cidr.ts';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import type { FilterFields } from '../filters.ts';
import { KINDS } from '../kinds.ts';
import { describe } from '../pages.ts';
import type { Vpc } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagList, tagsFor } from '../tags.ts';
import { allocate4 } from './address-pools.ts';
import { addMainRouteTable } from './route-tables.ts';
import { addDefaultSecurityGroup, removeSecurityGroup } from './security-groups.ts';
import { blockViews, ipv6BlockOf, readBlock } from './vpc-blocks.ts';

interface NewVpc {
  readonly tags?: ReadonlyMap<string, string>;
  readonly ipamPoolId?: string;
  readonly ipv6?: Vpc['ipv6'][number];
}

/** Creates a VPC together with the parts that AWS adds: a main route table and a default security group. */
export const addVpc = (ec2: Ec2, cidr: Cidr, isDefault: boolean, more: NewVpc = {}): Vpc => {
  const vpc = ec2.vpcs.add({
    ...ec2.born(KINDS.vpc, more.tags),
    cidr,
    ipamPoolId: more.ipamPoolId,
    secondary: [],
    ipv6: more.ipv6 ? [more.ipv6] : [],
    cidrAssociationId: ec2.newId('vpc-cidr-assoc'),
    isDefault,
    dnsSupport: true,
    dnsHostnames: isDefault,
  });
  addMainRouteTable(ec2, vpc);
  addDefaultSecurityGroup(ec2, vpc);
  return vpc;
};

const isInUse = (ec2: Ec2, vpcId: string): boolean => {
  const isIn = (row: { readonly vpcId: string | undefined }) => row.vpcId === vpcId;
  return (
    ec2.subnets.all().some(isIn) ||
    ec2.internetGateways.all().some(isIn) ||
    ec2.egressOnlyGateways.all().some(isIn) ||
    ec2.carrierGateways.all().some(isIn) ||
    ec2.vpcEndpoints.all().some(isIn) ||
    ec2.networkInterfaces.all().some(isIn) ||
    ec2.securityGroups.all().some((group) => isIn(group) && group.name !== 'default') ||
    ec2.routeTables.all().some((table) => isIn(table) && table.associations.every(({ subnetId }) => subnetId))
  );
};

const removeVpc = (ec2: Ec2, vpc: Vpc): void => {
  if (isInUse(ec2, vpc.id))
    throw new AwsFault('DependencyViolation', `The vpc '${vpc.id}' has dependencies and cannot be deleted.`);
  for (const table of ec2.routeTables.all()) if (table.vpcId === vpc.id) ec2.routeTables.remove(table.id);
  for (const group of ec2.securityGroups.all()) if (group.vpcId === vpc.id) removeSecurityGroup(ec2, group);
  ec2.vpcs.remove(vpc.id);
};

const fields: FilterFields<Vpc> = {
  'vpc-id': ({ id }) => id,
  cidr: ({ cidr }) => formatCidr(cidr),
  'cidr-block-association.cidr-block': ({ cidr, secondary }) =>
    [cidr, ...secondary.map(({ block }) => block)].map(formatCidr),
  'ipv6-cidr-block-association.ipv6-cidr-block': ({ ipv6 }) => ipv6.map(({ block }) => formatCidr(block)),
  'is-default': ({ isDefault }) => isDefault,
  isDefault: ({ isDefault }) => isDefault,
  state: () => 'available',
  'dhcp-options-id': ({ dhcpOptionsId }) => dhcpOptionsId ?? 'default',
};

const view = (ec2: Ec2, vpc: Vpc, state: sdk.VpcState = 'available'): sdk.Vpc => ({
  VpcId: vpc.id,
  OwnerId: vpc.sharedBy ?? ec2.place.accountId,
  State: state,
  CidrBlock: formatCidr(vpc.cidr),
  ...blockViews(ec2, vpc, state === 'pending' ? 'associating' : 'associated'),
  DhcpOptionsId: vpc.dhcpOptionsId ?? 'default',
  InstanceTenancy: 'default',
  IsDefault: vpc.isDefault,
  Tags: tagList(vpc.tags),
});

const attributeOf = (vpc: Vpc, attribute: sdk.VpcAttributeName | undefined) => {
  if (attribute === 'enableDnsSupport') return { EnableDnsSupport: { Value: vpc.dnsSupport } };
  if (attribute === 'enableDnsHostnames') return { EnableDnsHostnames: { Value: vpc.dnsHostnames } };
  if (attribute === 'enableNetworkAddressUsageMetrics') return { EnableNetworkAddressUsageMetrics: { Value: false } };
  throw new AwsFault('InvalidParameterValue', `Value (${attribute}) for parameter attribute is invalid.`);
};

const KNOWN = [
  'CidrBlock',
  'TagSpecifications',
  'InstanceTenancy',
  'Ipv4IpamPoolId',
  'Ipv4NetmaskLength',
  'AmazonProvidedIpv6CidrBlock',
  'Ipv6CidrBlock',
  'Ipv6Pool',
  'Ipv6IpamPoolId',
  'Ipv6NetmaskLength',
];

/** The first block of a VPC: the one in the request, or one from an IPAM pool. */
const firstBlock = (ec2: Ec2, { CidrBlock, Ipv4IpamPoolId, Ipv4NetmaskLength }: sdk.CreateVpcRequest): Cidr =>
  Ipv4IpamPoolId && !CidrBlock
    ? allocate4(ec2, Ipv4IpamPoolId, Ipv4NetmaskLength)
    : readBlock(CidrBlock, 'InvalidVpc.Range');

/** VPCs. Dedicated tenancy is not simulated. */
export const vpcActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  CreateVpc: (input) => {
    onlySimulated('ec2:CreateVpc', input, KNOWN);
    if (input.InstanceTenancy && input.InstanceTenancy !== 'default')
      throw new AwsFault('NotSimulated', `instance tenancy ${input.InstanceTenancy} is not simulated`, 501);
    const tags = tagsFor(input.TagSpecifications, 'vpc');
    if (ec2.vpcs.all().length >= ec2.settings.quotas.vpcs)
      throw new AwsFault('VpcLimitExceeded', 'The maximum number of VPCs has been reached.');
    const more = { tags, ipamPoolId: input.Ipv4IpamPoolId, ipv6: ipv6BlockOf(ec2, input) };
    return { Vpc: view(ec2, addVpc(ec2, firstBlock(ec2, input), false, more), 'pending') };
  },
  DescribeVpcs: ({ VpcIds, Filters, MaxResults, NextToken }) => {
    const question = { ids: VpcIds, filters: Filters, maxResults: MaxResults, nextToken: NextToken };
    const { rows, nextToken } = describe(ec2.vpcs, question, fields);
    return { Vpcs: rows.map((vpc) => view(ec2, vpc)), NextToken: nextToken };
  },
  DescribeVpcAttribute: ({ VpcId, Attribute }) => {
    const vpc = ec2.vpcs.get(VpcId);
    return { VpcId: vpc.id, ...attributeOf(vpc, Attribute) };
  },
  ModifyVpcAttribute: ({ VpcId, EnableDnsSupport, EnableDnsHostnames, ...others }) => {
    onlySimulated('ec2:ModifyVpcAttribute', others, []);
    const vpc = ec2.vpcs.get(VpcId);
    if (EnableDnsSupport && EnableDnsHostnames)
      throw new AwsFault('InvalidParameterCombination', 'Only one attribute can be modified at a time.');
    vpc.dnsSupport = EnableDnsSupport?.Value ?? vpc.dnsSupport;
    vpc.dnsHostnames = EnableDnsHostnames?.Value ?? vpc.dnsHostnames;
    return {};
  },
  DeleteVpc: ({ VpcId }) => {
    removeVpc(ec2, ec2.vpcs.get(VpcId));
    return {};
  },
});
