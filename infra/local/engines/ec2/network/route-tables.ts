import type * as sdk from '@aws-sdk/client-ec2';
import { formatCidr } from '../../../../../shared/cidr.ts';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import type { FilterFields } from '../filters.ts';
import { KINDS } from '../kinds.ts';
import { describe } from '../pages.ts';
import type { RouteTable, Vpc } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagList, tagsFor } from '../tags.ts';
import { isBlock4, isBlock6, routeView } from './routes.ts';

interface NewRouteTable {
  readonly vpc: Vpc;
  readonly clientToken?: string;
  readonly tags?: ReadonlyMap<string, string>;
}

const addRouteTable = (ec2: Ec2, { vpc, clientToken, tags }: NewRouteTable): RouteTable =>
  ec2.routeTables.add({
    ...ec2.born(KINDS.routeTable, tags),
    vpcId: vpc.id,
    clientToken,
    associations: [],
    routes: [
      ...[vpc.cidr, ...vpc.secondary.map(({ block }) => block)].map(formatCidr),
      ...vpc.ipv6.map(({ block }) => formatCidr(block)),
    ].map((destination) => ({ destination, target: { kind: 'local' } })),
  });

/** Creates the route table that every new VPC has. */
export const addMainRouteTable = (ec2: Ec2, vpc: Vpc): RouteTable => {
  const table = addRouteTable(ec2, { vpc });
  table.associations.push({ id: ec2.newId('rtbassoc'), subnetId: undefined });
  return table;
};

const tableOfSubnet = (ec2: Ec2, subnetId: string): RouteTable | undefined =>
  ec2.routeTables
    .of(ec2.subnets.find(subnetId)?.vpcId ?? '')
    .find(({ associations }) => associations.some((one) => one.subnetId === subnetId));

const associate = (ec2: Ec2, table: RouteTable, subnetId: string): string => {
  const existing = tableOfSubnet(ec2, subnetId);
  const same = existing?.associations.find((one) => one.subnetId === subnetId);
  if (existing && existing.id !== table.id)
    throw new AwsFault(
      'Resource.AlreadyAssociated',
      `the specified association for route table ${table.id} conflicts with an existing association`,
    );
  if (same) return same.id;
  const association = { id: ec2.newId('rtbassoc'), subnetId };
  table.associations.push(association);
  return association.id;
};

const findAssociation = (ec2: Ec2, id: string | undefined) => {
  for (const table of ec2.routeTables.all()) {
    const association = table.associations.find((one) => one.id === id);
    if (association) return { table, association };
  }
  throw new AwsFault('InvalidAssociationID.NotFound', `The association ID '${id}' does not exist`);
};

const disassociate = (ec2: Ec2, id: string | undefined): void => {
  const { table, association } = findAssociation(ec2, id);
  if (association.subnetId === undefined)
    throw new AwsFault('InvalidParameterValue', `cannot disassociate the main route table association ${id}`);
  table.associations = table.associations.filter((one) => one !== association);
};

const replaceAssociation = (ec2: Ec2, id: string | undefined, table: RouteTable): string => {
  const { table: before, association } = findAssociation(ec2, id);
  before.associations = before.associations.filter((one) => one !== association);
  const moved = { id: ec2.newId('rtbassoc'), subnetId: association.subnetId };
  table.associations.push(moved);
  return moved.id;
};

const fields: FilterFields<RouteTable> = {
  'route-table-id': ({ id }) => id,
  'vpc-id': ({ vpcId }) => vpcId,
  'association.main': ({ associations }) => associations.some(({ subnetId }) => subnetId === undefined),
  'association.subnet-id': ({ associations }) => associations.map(({ subnetId }) => subnetId),
  'association.route-table-association-id': ({ associations }) => associations.map(({ id }) => id),
  'route.destination-cidr-block': ({ routes }) => routes.map(({ destination }) => destination).filter(isBlock4),
  'route.destination-ipv6-cidr-block': ({ routes }) => routes.map(({ destination }) => destination).filter(isBlock6),
  'route.gateway-id': ({ routes }) =>
    routes.map(({ target }) => (target.kind === 'gateway' ? target.id : target.kind === 'local' ? 'local' : undefined)),
  'route.nat-gateway-id': ({ routes }) => routes.map(({ target }) => (target.kind === 'nat' ? target.id : undefined)),
};

const view = (ec2: Ec2, table: RouteTable): sdk.RouteTable => ({
  RouteTableId: table.id,
  VpcId: table.vpcId,
  OwnerId: ec2.place.accountId,
  Associations: table.associations.map(({ id, subnetId }) => ({
    RouteTableAssociationId: id,
    RouteTableId: table.id,
    SubnetId: subnetId,
    Main: subnetId === undefined,
    AssociationState: { State: 'associated' },
  })),
  Routes: table.routes.map((route) => routeView(ec2, route)),
  PropagatingVgws: [],
  Tags: tagList(table.tags),
});

const create = (ec2: Ec2, input: sdk.CreateRouteTableRequest): RouteTable => {
  const vpc = ec2.vpcs.get(input.VpcId);
  const tags = tagsFor(input.TagSpecifications, 'route-table');
  const repeated =
    input.ClientToken && ec2.routeTables.all().find(({ clientToken }) => clientToken === input.ClientToken);
  if (repeated) return repeated;
  if (ec2.routeTables.of(vpc.id).length >= ec2.settings.quotas.routeTablesPerVpc)
    throw new AwsFault('RouteTableLimitExceeded', 'The maximum number of route tables has been reached.');
  return addRouteTable(ec2, { vpc, clientToken: input.ClientToken, tags });
};

/** Route tables and their associations with subnets. */
export const routeTableActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  CreateRouteTable: (input) => {
    onlySimulated('ec2:CreateRouteTable', input, ['VpcId', 'ClientToken', 'TagSpecifications']);
    return { RouteTable: view(ec2, create(ec2, input)), ClientToken: input.ClientToken };
  },
  DescribeRouteTables: ({ RouteTableIds, Filters, MaxResults, NextToken }) => {
    const question = { ids: RouteTableIds, filters: Filters, maxResults: MaxResults, nextToken: NextToken };
    const { rows, nextToken } = describe(ec2.routeTables, question, fields);
    return { RouteTables: rows.map((table) => view(ec2, table)), NextToken: nextToken };
  },
  AssociateRouteTable: (input) => {
    onlySimulated('ec2:AssociateRouteTable', input, ['RouteTableId', 'SubnetId']);
    const table = ec2.routeTables.get(input.RouteTableId);
    const subnet = ec2.subnets.get(input.SubnetId);
    if (subnet.vpcId !== table.vpcId)
      throw new AwsFault(
        'InvalidParameterValue',
        `Route table ${table.id} and network ${subnet.id} belong to different networks`,
      );
    return { AssociationId: associate(ec2, table, subnet.id), AssociationState: { State: 'associated' } };
  },
  DisassociateRouteTable: ({ AssociationId }) => {
    disassociate(ec2, AssociationId);
    return {};
  },
  ReplaceRouteTableAssociation: ({ AssociationId, RouteTableId }) => ({
    NewAssociationId: replaceAssociation(ec2, AssociationId, ec2.routeTables.get(RouteTableId)),
    AssociationState: { State: 'associated' },
  }),
  DeleteRouteTable: ({ RouteTableId }) => {
    const table = ec2.routeTables.get(RouteTableId);
    if (table.associations.length > 0)
      throw new AwsFault('DependencyViolation', `The routeTable '${table.id}' has dependencies and cannot be deleted.`);
    ec2.routeTables.remove(table.id);
    return {};
  },
});
