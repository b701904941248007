import {
  DescribeAvailabilityZonesCommand,
  type EC2Client,
  paginateDescribeCarrierGateways,
  paginateDescribeEgressOnlyInternetGateways,
  paginateDescribeIpamPools,
  paginateDescribeVpcEndpoints,
} from '@aws-sdk/client-ec2';
import { collectPages } from '../../../aws/pages.ts';
import type { ObservedEndpoint, ObservedGateway, ObservedIpamPool } from '../plan/network/model-gateways.ts';
import { fromTagList } from '../tags.ts';
import { freeInPool } from './ec2-addresses.ts';
import type { Filter } from './ec2-filter.ts';

export interface ObservedZone {
  name: string;
  type: string;
  parent?: string;
}

/** Reads of what only some networks have. */
export interface Ec2NetworkExtraReads {
  /** The region that the calls go to. */
  describeOwnRegion(): Promise<string>;
  /** Zones by name, of whatever type; those that the account has not opted in to are not among them. */
  describeZones(names: readonly string[]): Promise<ObservedZone[]>;
  /** EC2 can filter these by tags only. */
  describeEgressOnlyInternetGateways(filters: readonly Filter[]): Promise<ObservedGateway[]>;
  describeCarrierGateways(filters: readonly Filter[]): Promise<ObservedGateway[]>;
  /** Without those that are being deleted. */
  describeVpcEndpoints(filters: readonly Filter[]): Promise<ObservedEndpoint[]>;
  describeIpamPools(filters: readonly Filter[]): Promise<ObservedIpamPool[]>;
  /** Free addresses of a pool; undefined where there is none of that id. */
  describePublicIpv4Pool(id: string): Promise<number | undefined>;
}

const toFilters = (filters: readonly Filter[]) =>
  filters.map(({ name, values }) => ({ Name: name, Values: [...values] }));

const pools = (client: EC2Client): Pick<Ec2NetworkExtraReads, 'describeIpamPools' | 'describePublicIpv4Pool'> => ({
  describeIpamPools: async (filters) => {
    const pages = paginateDescribeIpamPools({ client }, { Filters: toFilters(filters) });
    return (await collectPages(pages, ({ IpamPools }) => IpamPools)).flatMap(({ IpamPoolId: id, Tags }) => {
      const name = fromTagList(Tags).Name;
      return id ? [{ id, ...(name ? { name } : {}) }] : [];
    });
  },
  describePublicIpv4Pool: (id) => freeInPool(client, id),
});

/** The reads of Ec2NetworkExtraReads, each with all of its pages. */
export const ec2NetworkExtraReads = (client: EC2Client): Ec2NetworkExtraReads => ({
  ...pools(client),
  describeOwnRegion: () => client.config.region(),
  describeZones: async (names) => {
    const Filters = toFilters([{ name: 'zone-name', values: names }]);
    const { AvailabilityZones } = await client.send(new DescribeAvailabilityZonesCommand({ Filters }));
    return (AvailabilityZones ?? []).flatMap(({ ZoneName: name, ZoneType: type, ParentZoneName: parent }) =>
      name && type ? [{ name, type, ...(parent ? { parent } : {}) }] : [],
    );
  },
  describeEgressOnlyInternetGateways: async (filters) => {
    const pages = paginateDescribeEgressOnlyInternetGateways({ client }, { Filters: toFilters(filters) });
    const gateways = await collectPages(pages, (page) => page.EgressOnlyInternetGateways);
    return gateways.flatMap(({ EgressOnlyInternetGatewayId: id, Attachments = [], Tags }) =>
      Attachments.flatMap(({ VpcId: vpcId }) => (id && vpcId ? [{ id, vpcId, tags: fromTagList(Tags) }] : [])),
    );
  },
  describeCarrierGateways: async (filters) => {
    const alive = { name: 'state', values: ['pending', 'available'] };
    const pages = paginateDescribeCarrierGateways({ client }, { Filters: toFilters([...filters, alive]) });
    const gateways = await collectPages(pages, ({ CarrierGateways }) => CarrierGateways);
    return gateways.flatMap(({ CarrierGatewayId: id, VpcId: vpcId = '', Tags }) =>
      id ? [{ id, vpcId, tags: fromTagList(Tags) }] : [],
    );
  },
  describeVpcEndpoints: async (filters) => {
    const pages = paginateDescribeVpcEndpoints({ client }, { Filters: toFilters(filters) });
    const endpoints = await collectPages(pages, ({ VpcEndpoints }) => VpcEndpoints);
    return endpoints.flatMap(({ VpcEndpointId: id, VpcId: vpcId = '', ServiceName, RouteTableIds, State, Tags }) =>
      id && !/^(deleting|deleted)$/i.test(State ?? '')
        ? [{ id, vpcId, serviceName: ServiceName ?? '', routeTableIds: RouteTableIds ?? [], tags: fromTagList(Tags) }]
        : [],
    );
  },
});
