import {
  CreateVpcCommand,
  type CreateVpcCommandInput,
  DeleteVpcCommand,
  DescribeVpcAttributeCommand,
  type EC2Client,
  ModifyVpcAttributeCommand,
  paginateDescribeVpcs,
  type Vpc,
} from '@aws-sdk/client-ec2';
import { collectPages } from '../../../../aws/pages.ts';
import { fromTagList, type Tags } from '../../tags.ts';
import type { Filter } from '../filters.ts';
import { idOf, type Pages, required, tagged, toFilters } from '../wire.ts';
import type { ObservedBlock, ObservedVpc, VpcAttribute, VpcNumbers } from './model.ts';

export interface VpcReads {
  describeVpcs(filters: readonly Filter[]): Promise<ObservedVpc[]>;
  describeVpcDns(vpcId: string): Promise<{ dnsHostnames: boolean; dnsSupport: boolean }>;
}

export interface VpcWrites {
  createVpc(input: VpcNumbers & { tags: Tags }): Promise<string>;
  modifyVpcAttribute(input: { vpcId: string; attribute: VpcAttribute }): Promise<void>;
  deleteVpc(vpcId: string): Promise<void>;
}

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

const toVpc = (vpc: Vpc): ObservedVpc => ({
  id: required(vpc.VpcId, 'VpcId'),
  cidrBlock: vpc.CidrBlock ?? '',
  secondary: secondaryBlocks(vpc),
  ipv6: ipv6Blocks(vpc),
  tags: fromTagList(vpc.Tags),
});

export const vpcReads = (paged: Pages): VpcReads => ({
  describeVpcs: async (filters) => {
    const pages = paginateDescribeVpcs(paged, { Filters: toFilters(filters) });
    return (await collectPages(pages, ({ Vpcs }) => Vpcs)).map(toVpc);
  },
  describeVpcDns: async (vpcId) => {
    const ask = (Attribute: 'enableDnsHostnames' | 'enableDnsSupport') =>
      paged.client.send(new DescribeVpcAttributeCommand({ VpcId: vpcId, Attribute }));
    const [hostnames, support] = await Promise.all([ask('enableDnsHostnames'), ask('enableDnsSupport')]);
    return {
      dnsHostnames: hostnames.EnableDnsHostnames?.Value ?? false,
      dnsSupport: support.EnableDnsSupport?.Value ?? false,
    };
  },
});

const ipv6Numbers = (ipv6: VpcNumbers['ipv6']): Partial<CreateVpcCommandInput> => {
  if (ipv6 === undefined) return {};
  if (ipv6 === 'amazon') return { AmazonProvidedIpv6CidrBlock: true };
  if ('cidrBlock' in ipv6) return { Ipv6CidrBlock: ipv6.cidrBlock, Ipv6Pool: ipv6.poolId };
  return { Ipv6IpamPoolId: ipv6.ipamPool.id, Ipv6NetmaskLength: ipv6.ipamPool.netmaskLength };
};

const ipv4Numbers = ({ cidrBlock, ipamPool }: VpcNumbers): Partial<CreateVpcCommandInput> =>
  ipamPool ? { Ipv4IpamPoolId: ipamPool.id, Ipv4NetmaskLength: ipamPool.netmaskLength } : { CidrBlock: cidrBlock };

export const vpcWrites = (client: EC2Client): VpcWrites => ({
  createVpc: async ({ tags, ...numbers }) => {
    const input = { ...ipv4Numbers(numbers), ...ipv6Numbers(numbers.ipv6), TagSpecifications: tagged('vpc', tags) };
    return idOf((await client.send(new CreateVpcCommand(input))).Vpc?.VpcId, 'CreateVpc');
  },
  modifyVpcAttribute: async ({ vpcId, attribute }) => {
    await client.send(new ModifyVpcAttributeCommand({ VpcId: vpcId, [attribute]: { Value: true } }));
  },
  deleteVpc: async (vpcId) => {
    await client.send(new DeleteVpcCommand({ VpcId: vpcId }));
  },
});
