import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, onlySimulated } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import { type Cidr, formatCidr, parseCidr } from './cidr.ts';
import type { FilterFields } from './filters.ts';
import { KINDS } from './kinds.ts';
import { describe } from './pages.ts';
import type { Vpc } from './records.ts';
import { addMainRouteTable } from './route-tables.ts';
import { addDefaultSecurityGroup, removeSecurityGroup } from './security-groups.ts';
import type { Ec2 } from './state.ts';
import { tagList, tagsFor } from './tags.ts';

/** Reads the CIDR block of a VPC or subnet; `range` is AWS's code for a block that is too large or too small. */
export const readBlock = (text: string | undefined, range: string): Cidr => {
  const cidr = parseCidr(text ?? '');
  if (!cidr)
    throw new AwsFault(
      'InvalidParameterValue',
      `Value (${text}) for parameter cidrBlock is invalid. This is not a valid CIDR block.`,
    );
  if (cidr.prefix < 16 || cidr.prefix > 28) throw new AwsFault(range, `The CIDR '${text}' is invalid.`);
  return cidr;
};

/** Makes a VPC with what AWS makes with it: a main route table and a default security group. */
export const addVpc = (ec2: Ec2, cidr: Cidr, isDefault: boolean, tags?: ReadonlyMap<string, string>): Vpc => {
  const vpc = ec2.vpcs.add({
    ...ec2.born(KINDS.vpc, tags),
    cidr,
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
  'cidr-block-association.cidr-block': ({ cidr }) => formatCidr(cidr),
  'is-default': ({ isDefault }) => isDefault,
  isDefault: ({ isDefault }) => isDefault,
  state: () => 'available',
  'dhcp-options-id': () => 'default',
};

const view = (ec2: Ec2, vpc: Vpc, state: sdk.VpcState = 'available'): sdk.Vpc => ({
  VpcId: vpc.id,
  OwnerId: ec2.place.accountId,
  State: state,
  CidrBlock: formatCidr(vpc.cidr),
  CidrBlockAssociationSet: [
    {
      AssociationId: vpc.cidrAssociationId,
      CidrBlock: formatCidr(vpc.cidr),
      CidrBlockState: { State: 'associated' },
    },
  ],
  DhcpOptionsId: 'default',
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

/** VPCs. IPv6, IPAM, secondary CIDR blocks and dedicated tenancy are not simulated. */
export const vpcActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  CreateVpc: (input) => {
    onlySimulated('ec2:CreateVpc', input, ['CidrBlock', 'TagSpecifications', 'InstanceTenancy']);
    if (input.InstanceTenancy && input.InstanceTenancy !== 'default')
      throw new AwsFault('NotSimulated', `instance tenancy ${input.InstanceTenancy} is not simulated`, 501);
    const cidr = readBlock(input.CidrBlock, 'InvalidVpc.Range');
    const tags = tagsFor(input.TagSpecifications, 'vpc');
    if (ec2.vpcs.all().length >= ec2.settings.quotas.vpcs)
      throw new AwsFault('VpcLimitExceeded', 'The maximum number of VPCs has been reached.');
    return { Vpc: view(ec2, addVpc(ec2, cidr, false, tags), 'pending') };
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
