import {
  AssociateRouteTableCommand,
  CreateRouteCommand,
  CreateRouteTableCommand,
  DeleteRouteTableCommand,
  DisassociateRouteTableCommand,
  type EC2Client,
  paginateDescribeRouteTables,
  ReplaceRouteCommand,
  type Route,
  type RouteTable,
} from '@aws-sdk/client-ec2';
import { collectPages } from '../../../../aws/pages.ts';
import { fromTagList, type Tags } from '../../tags.ts';
import type { Filter } from '../filters.ts';
import { firstOf, idOf, type Pages, required, tagged, toFilters } from '../wire.ts';
import type { ObservedRoute, ObservedRouteTable } from './model.ts';

export interface RouteTableReads {
  describeRouteTables(filters: readonly Filter[]): Promise<ObservedRouteTable[]>;
}

interface RouteInput {
  routeTableId: string;
  destination: string;
  /** `igw-…`, `eigw-…`, `cagw-…` or `nat-…`. */
  target: string;
}

export interface RouteTableWrites {
  createRouteTable(input: { vpcId: string; tags: Tags }): Promise<string>;
  /** Returns the id of the association. */
  associateRouteTable(input: { routeTableId: string; subnetId: string }): Promise<string>;
  createRoute(input: RouteInput): Promise<void>;
  replaceRoute(input: RouteInput): Promise<void>;
  disassociateRouteTable(associationId: string): Promise<void>;
  deleteRouteTable(routeTableId: string): Promise<void>;
}

const targetOf = (route: Route): string | undefined =>
  firstOf(
    route.NatGatewayId,
    route.GatewayId,
    route.EgressOnlyInternetGatewayId,
    route.CarrierGatewayId,
    route.TransitGatewayId,
    route.NetworkInterfaceId,
    route.VpcPeeringConnectionId,
  );

const toRoute = (route: Route): ObservedRoute => ({
  destination: firstOf(route.DestinationCidrBlock, route.DestinationIpv6CidrBlock, route.DestinationPrefixListId) ?? '',
  target: targetOf(route),
  ...(route.InstanceId ? { instanceId: route.InstanceId } : {}),
  isBlackhole: route.State === 'blackhole',
});

export const toRouteTable = ({
  RouteTableId,
  VpcId,
  Associations = [],
  Routes = [],
  Tags,
}: RouteTable): ObservedRouteTable => ({
  id: required(RouteTableId, 'RouteTableId'),
  vpcId: VpcId ?? '',
  isMain: Associations.some(({ Main }) => Main),
  tags: fromTagList(Tags),
  routes: Routes.map(toRoute),
  associations: Associations.flatMap(({ RouteTableAssociationId: id, SubnetId: subnetId, AssociationState }) =>
    id && subnetId && AssociationState?.State !== 'disassociated' ? [{ id, subnetId }] : [],
  ),
});

export const routeTableReads = (paged: Pages): RouteTableReads => ({
  describeRouteTables: async (filters) => {
    const pages = paginateDescribeRouteTables(paged, { Filters: toFilters(filters) });
    return (await collectPages(pages, ({ RouteTables }) => RouteTables)).map(toRouteTable);
  },
});

const targetField = (target: string) => {
  if (target.startsWith('nat-')) return { NatGatewayId: target };
  if (target.startsWith('eigw-')) return { EgressOnlyInternetGatewayId: target };
  return target.startsWith('cagw-') ? { CarrierGatewayId: target } : { GatewayId: target };
};

const fromRoute = ({ routeTableId, destination, target }: RouteInput) => ({
  RouteTableId: routeTableId,
  ...(destination.includes(':') ? { DestinationIpv6CidrBlock: destination } : { DestinationCidrBlock: destination }),
  ...targetField(target),
});

export const routeTableWrites = (client: EC2Client): RouteTableWrites => ({
  createRouteTable: async ({ vpcId, tags }) => {
    const command = new CreateRouteTableCommand({ VpcId: vpcId, TagSpecifications: tagged('route-table', tags) });
    return idOf((await client.send(command)).RouteTable?.RouteTableId, 'CreateRouteTable');
  },
  associateRouteTable: async ({ routeTableId, subnetId }) => {
    const command = new AssociateRouteTableCommand({ RouteTableId: routeTableId, SubnetId: subnetId });
    return idOf((await client.send(command)).AssociationId, 'AssociateRouteTable');
  },
  createRoute: async (input) => {
    await client.send(new CreateRouteCommand(fromRoute(input)));
  },
  replaceRoute: async (input) => {
    await client.send(new ReplaceRouteCommand(fromRoute(input)));
  },
  disassociateRouteTable: async (associationId) => {
    await client.send(new DisassociateRouteTableCommand({ AssociationId: associationId }));
  },
  deleteRouteTable: async (routeTableId) => {
    await client.send(new DeleteRouteTableCommand({ RouteTableId: routeTableId }));
  },
});
