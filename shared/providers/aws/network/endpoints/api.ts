import {
  CreateVpcEndpointCommand,
  DeleteVpcEndpointsCommand,
  type EC2Client,
  EC2ServiceException,
  ModifyVpcEndpointCommand,
  paginateDescribeVpcEndpoints,
} from '@aws-sdk/client-ec2';
import { collectPages } from '../../../../aws/pages.ts';
import { fromTagList, type Tags } from '../../tags.ts';
import type { Filter } from '../filters.ts';
import { idOf, tagged, toFilters, tokenOf } from '../wire.ts';
import type { ObservedEndpoint } from './model.ts';

export interface EndpointReads {
  /** Without those being deleted. */
  describeVpcEndpoints(filters: readonly Filter[]): Promise<ObservedEndpoint[]>;
}

interface NewEndpoint {
  vpcId: string;
  serviceName: string;
  routeTableIds: readonly string[];
  tags: Tags;
}

export interface EndpointWrites {
  createVpcEndpoint(input: NewEndpoint): Promise<string>;
  modifyVpcEndpoint(input: { id: string; add: readonly string[]; remove: readonly string[] }): Promise<void>;
  deleteVpcEndpoint(id: string): Promise<void>;
}

export const endpointReads = (client: EC2Client): EndpointReads => ({
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

export const endpointWrites = (client: EC2Client): EndpointWrites => ({
  createVpcEndpoint: async ({ vpcId, serviceName, routeTableIds, tags }) => {
    const command = new CreateVpcEndpointCommand({
      VpcEndpointType: 'Gateway',
      VpcId: vpcId,
      ServiceName: serviceName,
      RouteTableIds: [...routeTableIds],
      TagSpecifications: tagged('vpc-endpoint', tags),
      ...tokenOf(tags),
    });
    return idOf((await client.send(command)).VpcEndpoint?.VpcEndpointId, 'CreateVpcEndpoint');
  },
  modifyVpcEndpoint: async ({ id, add, remove }) => {
    const change = { AddRouteTableIds: [...add], RemoveRouteTableIds: [...remove] };
    await client.send(new ModifyVpcEndpointCommand({ VpcEndpointId: id, ...change }));
  },
  deleteVpcEndpoint: async (id) => {
    const { Unsuccessful, $metadata } = await client.send(new DeleteVpcEndpointsCommand({ VpcEndpointIds: [id] }));
    const error = Unsuccessful?.[0]?.Error;
    // The call succeeds even in this case: errors are in its response.
    if (!error?.Code) return;
    throw new EC2ServiceException({ name: error.Code, message: error.Message ?? '', $fault: 'client', $metadata });
  },
});
