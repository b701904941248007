import { createHash } from 'node:crypto';
import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, notSimulated, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import type { FilterFields } from '../filters.ts';
import { KINDS } from '../kinds.ts';
import { describe } from '../pages.ts';
import type { RouteTable, VpcEndpoint } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagList, tagsFor } from '../tags.ts';

/** The services that have gateway endpoints. */
const SERVICES = ['s3', 'dynamodb'];

const prefixListOf = (serviceName: string): string =>
  `pl-${createHash('sha256').update(serviceName).digest('hex').slice(0, 8)}`;

const checkService = (ec2: Ec2, name: string | undefined): string => {
  if (SERVICES.some((service) => name === `com.amazonaws.${ec2.place.region}.${service}`)) return name ?? '';
  throw new AwsFault('InvalidServiceName', `The Vpc Endpoint Service '${name}' does not exist`);
};

const addRoute = (table: RouteTable, { id, prefixListId }: VpcEndpoint): void => {
  table.routes.push({ destination: prefixListId, target: { kind: 'endpoint', id } });
};

const removeRoute = (table: RouteTable, { id }: VpcEndpoint): void => {
  table.routes = table.routes.filter(({ target }) => target.kind !== 'endpoint' || target.id !== id);
};

/** Tables that an endpoint of the VPC may serve: those of the VPC, without a route to the service yet. */
const tablesFor = (ec2: Ec2, vpcId: string, ids: readonly string[], prefixListId: string): RouteTable[] =>
  ids.map((id) => {
    const table = ec2.routeTables.get(id);
    if (table.vpcId !== vpcId)
      throw new AwsFault('InvalidParameter', `Route table ${id} does not belong to vpc ${vpcId}`);
    if (table.routes.some(({ destination }) => destination === prefixListId))
      throw new AwsFault(
        'RouteAlreadyExists',
        `route table ${id} already has a route with destination-prefix-list-id ${prefixListId}`,
      );
    return table;
  });

const create = (ec2: Ec2, input: sdk.CreateVpcEndpointRequest): VpcEndpoint => {
  if ((input.VpcEndpointType ?? 'Gateway') !== 'Gateway') throw notSimulated(`a ${input.VpcEndpointType} endpoint`);
  const vpc = ec2.vpcs.get(input.VpcId);
  const serviceName = checkService(ec2, input.ServiceName);
  const tags = tagsFor(input.TagSpecifications, 'vpc-endpoint');
  const endpoints = ec2.vpcEndpoints.all();
  const repeated = endpoints.find(({ clientToken }) => clientToken && clientToken === input.ClientToken);
  if (repeated) return repeated;
  if (endpoints.length >= ec2.settings.quotas.gatewayEndpoints)
    throw new AwsFault('VpcEndpointLimitExceeded', 'The maximum number of gateway endpoints has been reached.');
  const prefixListId = prefixListOf(serviceName);
  const routeTableIds = [...new Set(input.RouteTableIds)];
  const tables = tablesFor(ec2, vpc.id, routeTableIds, prefixListId);
  const born = ec2.born(KINDS.vpcEndpoint, tags);
  const { ClientToken: clientToken } = input;
  const endpoint = ec2.vpcEndpoints.add({
    ...born,
    vpcId: vpc.id,
    serviceName,
    prefixListId,
    clientToken,
    routeTableIds,
  });
  for (const table of tables) addRoute(table, endpoint);
  return endpoint;
};

const modify = (ec2: Ec2, input: sdk.ModifyVpcEndpointRequest): void => {
  const endpoint = ec2.vpcEndpoints.get(input.VpcEndpointId);
  const { AddRouteTableIds: add = [], RemoveRouteTableIds: remove = [] } = input;
  const added = add.filter((id) => !endpoint.routeTableIds.includes(id));
  const tables = tablesFor(ec2, endpoint.vpcId, added, endpoint.prefixListId);
  for (const id of remove) {
    const table = ec2.routeTables.find(id);
    if (table) removeRoute(table, endpoint);
  }
  for (const table of tables) addRoute(table, endpoint);
  endpoint.routeTableIds = [...endpoint.routeTableIds, ...added].filter((id) => !remove.includes(id));
};

const remove = (ec2: Ec2, id: string): sdk.UnsuccessfulItem[] => {
  const endpoint = ec2.vpcEndpoints.find(id);
  if (!endpoint) {
    const { code, message } = KINDS.vpcEndpoint.notFound(id);
    return [{ ResourceId: id, Error: { Code: code, Message: message } }];
  }
  for (const table of ec2.routeTables.all()) removeRoute(table, endpoint);
  ec2.vpcEndpoints.remove(id);
  return [];
};

const fields: FilterFields<VpcEndpoint> = {
  'vpc-endpoint-id': ({ id }) => id,
  'vpc-id': ({ vpcId }) => vpcId,
  'service-name': ({ serviceName }) => serviceName,
  'vpc-endpoint-state': () => 'available',
  'vpc-endpoint-type': () => 'Gateway',
};

const view = (ec2: Ec2, row: VpcEndpoint): sdk.VpcEndpoint => ({
  VpcEndpointId: row.id,
  VpcEndpointType: 'Gateway',
  VpcId: row.vpcId,
  ServiceName: row.serviceName,
  // The SDK has `Available`, but the service answers in lower case.
  State: 'available' as sdk.State,
  // A table that was deleted is no longer served.
  RouteTableIds: row.routeTableIds.filter((id) => ec2.routeTables.find(id)),
  OwnerId: ec2.place.accountId,
  CreationTimestamp: new Date(row.createdAt),
  Tags: tagList(row.tags),
});

/** Gateway endpoints. They are created and deleted immediately; policies are not simulated. */
export const vpcEndpointActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  CreateVpcEndpoint: (input) => {
    const known = ['VpcEndpointType', 'VpcId', 'ServiceName', 'RouteTableIds', 'ClientToken', 'TagSpecifications'];
    onlySimulated('ec2:CreateVpcEndpoint', input, known);
    return { VpcEndpoint: view(ec2, create(ec2, input)), ClientToken: input.ClientToken };
  },
  DescribeVpcEndpoints: ({ VpcEndpointIds, Filters, MaxResults, NextToken }) => {
    const question = { ids: VpcEndpointIds, filters: Filters, maxResults: MaxResults, nextToken: NextToken };
    const { rows, nextToken } = describe(ec2.vpcEndpoints, question, fields);
    return { VpcEndpoints: rows.map((row) => view(ec2, row)), NextToken: nextToken };
  },
  ModifyVpcEndpoint: (input) => {
    const known = ['VpcEndpointId', 'AddRouteTableIds', 'RemoveRouteTableIds'];
    onlySimulated('ec2:ModifyVpcEndpoint', input, known);
    modify(ec2, input);
    return { Return: true };
  },
  DeleteVpcEndpoints: ({ VpcEndpointIds = [] }) => ({
    Unsuccessful: VpcEndpointIds.flatMap((id) => remove(ec2, id)),
  }),
});
