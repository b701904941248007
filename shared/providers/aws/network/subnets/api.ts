import {
  CreateSubnetCommand,
  DeleteSubnetCommand,
  type EC2Client,
  ModifySubnetAttributeCommand,
  paginateDescribeSubnets,
  type Subnet,
} from '@aws-sdk/client-ec2';
import { collectPages } from '../../../../aws/pages.ts';
import { fromTagList, type Tags } from '../../tags.ts';
import type { Filter } from '../filters.ts';
import { idOf, type Pages, required, tagged, toFilters } from '../wire.ts';
import type { HostnameType, ObservedSubnet, SubnetAttribute } from './model.ts';

export interface SubnetReads {
  describeSubnets(filters: readonly Filter[]): Promise<ObservedSubnet[]>;
}

/** The properties of a new subnet. With an empty `cidrBlock`, it only has IPv6. */
export interface NewSubnet {
  vpcId: string;
  zone: string;
  cidrBlock: string;
  ipv6CidrBlock?: string;
  tags: Tags;
}

export interface SubnetWrites {
  createSubnet(input: NewSubnet): Promise<string>;
  mapPublicIpOnLaunch(subnetId: string): Promise<void>;
  setSubnetAttribute(input: { subnetId: string; attribute: SubnetAttribute }): Promise<void>;
  setSubnetHostnames(input: { subnetId: string; hostnameType: HostnameType }): Promise<void>;
  deleteSubnet(subnetId: string): Promise<void>;
}

const subnetIpv6 = ({ Ipv6CidrBlockAssociationSet = [] }: Subnet): string | undefined =>
  Ipv6CidrBlockAssociationSet.find(({ Ipv6CidrBlockState: state }) => state?.State === 'associated')?.Ipv6CidrBlock;

const toSubnet = (subnet: Subnet): ObservedSubnet => ({
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

export const subnetReads = (paged: Pages): SubnetReads => ({
  describeSubnets: async (filters) => {
    const pages = paginateDescribeSubnets(paged, { Filters: toFilters(filters) });
    return (await collectPages(pages, ({ Subnets }) => Subnets)).map(toSubnet);
  },
});

export const subnetWrites = (client: EC2Client): SubnetWrites => ({
  createSubnet: async (input) => {
    const command = new CreateSubnetCommand({
      VpcId: input.vpcId,
      AvailabilityZone: input.zone,
      ...(input.cidrBlock ? { CidrBlock: input.cidrBlock } : { Ipv6Native: true }),
      ...(input.ipv6CidrBlock ? { Ipv6CidrBlock: input.ipv6CidrBlock } : {}),
      TagSpecifications: tagged('subnet', input.tags),
    });
    return idOf((await client.send(command)).Subnet?.SubnetId, 'CreateSubnet');
  },
  mapPublicIpOnLaunch: async (subnetId) => {
    const input = { SubnetId: subnetId, MapPublicIpOnLaunch: { Value: true } };
    await client.send(new ModifySubnetAttributeCommand(input));
  },
  setSubnetAttribute: async ({ subnetId, attribute }) => {
    await client.send(new ModifySubnetAttributeCommand({ SubnetId: subnetId, [attribute]: { Value: true } }));
  },
  setSubnetHostnames: async ({ subnetId, hostnameType }) => {
    const input = { SubnetId: subnetId, PrivateDnsHostnameTypeOnLaunch: hostnameType };
    await client.send(new ModifySubnetAttributeCommand(input));
  },
  deleteSubnet: async (subnetId) => {
    await client.send(new DeleteSubnetCommand({ SubnetId: subnetId }));
  },
});
