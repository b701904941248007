import {
  CreateEgressOnlyInternetGatewayCommand,
  DeleteEgressOnlyInternetGatewayCommand,
  type EC2Client,
  paginateDescribeEgressOnlyInternetGateways,
} from '@aws-sdk/client-ec2';
import { collectPages } from '../../../../aws/pages.ts';
import { fromTagList, type Tags } from '../../tags.ts';
import type { Filter } from '../filters.ts';
import { idOf, tagged, toFilters, tokenOf } from '../wire.ts';
import type { ObservedEgressOnlyGateway } from './model.ts';

export interface EgressOnlyGatewayReads {
  /** EC2 can only filter these by tags. */
  describeEgressOnlyInternetGateways(filters: readonly Filter[]): Promise<ObservedEgressOnlyGateway[]>;
}

export interface EgressOnlyGatewayWrites {
  createEgressOnlyInternetGateway(input: { vpcId: string; tags: Tags }): Promise<string>;
  deleteEgressOnlyInternetGateway(id: string): Promise<void>;
}

export const egressOnlyGatewayReads = (client: EC2Client): EgressOnlyGatewayReads => ({
  describeEgressOnlyInternetGateways: async (filters) => {
    const pages = paginateDescribeEgressOnlyInternetGateways({ client }, { Filters: toFilters(filters) });
    const gateways = await collectPages(pages, (page) => page.EgressOnlyInternetGateways);
    return gateways.flatMap(({ EgressOnlyInternetGatewayId: id, Attachments = [], Tags }) =>
      Attachments.flatMap(({ VpcId: vpcId }) => (id && vpcId ? [{ id, vpcId, tags: fromTagList(Tags) }] : [])),
    );
  },
});

export const egressOnlyGatewayWrites = (client: EC2Client): EgressOnlyGatewayWrites => ({
  createEgressOnlyInternetGateway: async ({ vpcId, tags }) => {
    const TagSpecifications = tagged('egress-only-internet-gateway', tags);
    const command = new CreateEgressOnlyInternetGatewayCommand({ VpcId: vpcId, TagSpecifications, ...tokenOf(tags) });
    const { EgressOnlyInternetGateway: made } = await client.send(command);
    return idOf(made?.EgressOnlyInternetGatewayId, 'CreateEgressOnlyInternetGateway');
  },
  deleteEgressOnlyInternetGateway: async (id) => {
    await client.send(new DeleteEgressOnlyInternetGatewayCommand({ EgressOnlyInternetGatewayId: id }));
  },
});
