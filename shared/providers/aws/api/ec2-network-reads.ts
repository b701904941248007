import {
  DescribeAddressesCommand,
  DescribeAvailabilityZonesCommand,
  DescribeVpcAttributeCommand,
  type EC2Client,
  paginateDescribeInternetGateways,
  paginateDescribeNatGateways,
  paginateDescribeNetworkInterfaces,
  paginateDescribeRouteTables,
  paginateDescribeSecurityGroups,
  paginateDescribeSubnets,
  paginateDescribeVpcs,
} from '@aws-sdk/client-ec2';
import { collectPages } from '../../../aws/pages.ts';
import type {
  ObservedAddress,
  ObservedInternetGateway,
  ObservedNatGateway,
  ObservedNetworkInterface,
  ObservedRouteTable,
  ObservedSecurityGroup,
  ObservedSubnet,
  ObservedVpc,
} from '../plan/network/model.ts';
import type { Filter } from './ec2-filter.ts';
import {
  toAddress,
  toInternetGateway,
  toNatGateway,
  toNetworkInterface,
  toRouteTable,
  toSecurityGroup,
  toSubnet,
  toVpc,
} from './ec2-network-shapes.ts';

/** The reads; each follows all pages. An empty filter value list would match nothing and is not allowed. */
export interface Ec2NetworkReads {
  /** Names of the zones in which resources can be made: available, and no local or wavelength zones. */
  describeAvailabilityZones(): Promise<string[]>;
  describeVpcs(filters: readonly Filter[]): Promise<ObservedVpc[]>;
  describeVpcDns(vpcId: string): Promise<{ dnsHostnames: boolean; dnsSupport: boolean }>;
  describeSubnets(filters: readonly Filter[]): Promise<ObservedSubnet[]>;
  describeInternetGateways(filters: readonly Filter[]): Promise<ObservedInternetGateway[]>;
  describeRouteTables(filters: readonly Filter[]): Promise<ObservedRouteTable[]>;
  describeNatGateways(filters: readonly Filter[]): Promise<ObservedNatGateway[]>;
  describeAddresses(filters: readonly Filter[]): Promise<ObservedAddress[]>;
  describeSecurityGroups(filters: readonly Filter[]): Promise<ObservedSecurityGroup[]>;
  describeNetworkInterfaces(filters: readonly Filter[]): Promise<ObservedNetworkInterface[]>;
}

const toFilters = (filters: readonly Filter[]) =>
  filters.map(({ name, values }) => ({ Name: name, Values: [...values] }));

/** The largest pages that EC2 gives; route tables come in smaller ones. */
const PAGE = { pageSize: 1000 };
const ROUTE_TABLE_PAGE = { pageSize: 100 };

interface Pages {
  client: EC2Client;
  pageSize?: number;
}

const reads = (paged: Pages, routeTables: Pages): Ec2NetworkReads => ({
  describeAvailabilityZones: async () => {
    const filters = [
      { name: 'state', values: ['available'] },
      { name: 'zone-type', values: ['availability-zone'] },
    ];
    const answer = await paged.client.send(new DescribeAvailabilityZonesCommand({ Filters: toFilters(filters) }));
    return (answer.AvailabilityZones ?? []).flatMap(({ ZoneName }) => ZoneName ?? []);
  },
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
  describeSubnets: async (filters) => {
    const pages = paginateDescribeSubnets(paged, { Filters: toFilters(filters) });
    return (await collectPages(pages, ({ Subnets }) => Subnets)).map(toSubnet);
  },
  describeInternetGateways: async (filters) => {
    const pages = paginateDescribeInternetGateways(paged, { Filters: toFilters(filters) });
    return (await collectPages(pages, ({ InternetGateways }) => InternetGateways)).map(toInternetGateway);
  },
  describeRouteTables: async (filters) => {
    const pages = paginateDescribeRouteTables(routeTables, { Filters: toFilters(filters) });
    return (await collectPages(pages, ({ RouteTables }) => RouteTables)).map(toRouteTable);
  },
  describeNatGateways: async (filters) => {
    const pages = paginateDescribeNatGateways(paged, { Filter: toFilters(filters) });
    return (await collectPages(pages, ({ NatGateways }) => NatGateways)).map(toNatGateway);
  },
  describeAddresses: async (filters) => {
    const answer = await paged.client.send(new DescribeAddressesCommand({ Filters: toFilters(filters) }));
    return (answer.Addresses ?? []).map(toAddress);
  },
  describeSecurityGroups: async (filters) => {
    const pages = paginateDescribeSecurityGroups(paged, { Filters: toFilters(filters) });
    return (await collectPages(pages, ({ SecurityGroups }) => SecurityGroups)).map(toSecurityGroup);
  },
  describeNetworkInterfaces: async (filters) => {
    const pages = paginateDescribeNetworkInterfaces(paged, { Filters: toFilters(filters) });
    return (await collectPages(pages, ({ NetworkInterfaces }) => NetworkInterfaces)).map(toNetworkInterface);
  },
});

/**
 * The reads of Ec2Network, each with all of its pages. `inPages`: asked for a page at a time, as EC2 wants it of those who
 * ask for thousands; else the first answer has what a VPC has.
 */
export const ec2NetworkReads = (client: EC2Client, { inPages = false }: { inPages?: boolean } = {}): Ec2NetworkReads =>
  reads({ client, ...(inPages ? PAGE : {}) }, { client, ...(inPages ? ROUTE_TABLE_PAGE : {}) });
