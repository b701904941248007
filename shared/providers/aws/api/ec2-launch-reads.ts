import {
  type EC2Client,
  type Filter,
  paginateDescribeSecurityGroups,
  paginateDescribeSubnets,
  type Subnet,
} from '@aws-sdk/client-ec2';
import { collectPages } from '../../../aws/pages.ts';
import type { FoundSubnet } from '../plan/launch/subnet.ts';
import { fromTagList } from '../tags.ts';
import { type Ec2Owners, ec2Owners } from './ec2-owners.ts';

/** A filter in the form of the kinds. */
export interface NamedFilter {
  name: string;
  values: readonly string[];
}

/** The reads of what a machine's spec may select by filters. */
export interface Ec2LaunchReads extends Ec2Owners {
  subnets(filters: readonly NamedFilter[]): Promise<FoundSubnet[]>;
  /** Ids of the matching security groups. */
  securityGroups(filters: readonly NamedFilter[]): Promise<string[]>;
}

const toFilters = (filters: readonly NamedFilter[]): Filter[] =>
  filters.map(({ name, values }) => ({ Name: name, Values: [...values] }));

const toSubnet = (subnet: Subnet): FoundSubnet => ({
  id: subnet.SubnetId ?? '',
  vpcId: subnet.VpcId ?? '',
  zone: subnet.AvailabilityZone ?? '',
  // IPv6-only subnets have none.
  cidrBlock: subnet.CidrBlock || undefined,
  hasIpv6: (subnet.Ipv6CidrBlockAssociationSet ?? []).some(
    ({ Ipv6CidrBlockState }) => Ipv6CidrBlockState?.State === 'associated',
  ),
  tags: fromTagList(subnet.Tags),
});

/** The port, implemented with EC2. Each read follows all pages. */
export const ec2LaunchReads = (client: EC2Client): Ec2LaunchReads => ({
  subnets: async (filters) => {
    const pages = paginateDescribeSubnets({ client }, { Filters: toFilters(filters) });
    return collectPages(pages, ({ Subnets = [] }) => Subnets.map(toSubnet));
  },
  securityGroups: async (filters) => {
    const pages = paginateDescribeSecurityGroups({ client }, { Filters: toFilters(filters) });
    return collectPages(pages, ({ SecurityGroups = [] }) => SecurityGroups.flatMap(({ GroupId }) => GroupId ?? []));
  },
  ...ec2Owners(client),
});
