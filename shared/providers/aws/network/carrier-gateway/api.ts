import {
  CreateCarrierGatewayCommand,
  DeleteCarrierGatewayCommand,
  type EC2Client,
  paginateDescribeCarrierGateways,
} from '@aws-sdk/client-ec2';
import { collectPages } from '../../../../aws/pages.ts';
import { fromTagList, type Tags } from '../../tags.ts';
import type { Filter } from '../filters.ts';
import { idOf, tagged, toFilters, tokenOf } from '../wire.ts';
import type { ObservedCarrierGateway } from './model.ts';

export interface CarrierGatewayReads {
  /** Without those being deleted. */
  describeCarrierGateways(filters: readonly Filter[]): Promise<ObservedCarrierGateway[]>;
}

export interface CarrierGatewayWrites {
  createCarrierGateway(input: { vpcId: string; tags: Tags }): Promise<string>;
  deleteCarrierGateway(id: string): Promise<void>;
}

export const carrierGatewayReads = (client: EC2Client): CarrierGatewayReads => ({
  describeCarrierGateways: async (filters) => {
    const alive = { name: 'state', values: ['pending', 'available'] };
    const pages = paginateDescribeCarrierGateways({ client }, { Filters: toFilters([...filters, alive]) });
    const gateways = await collectPages(pages, ({ CarrierGateways }) => CarrierGateways);
    return gateways.flatMap(({ CarrierGatewayId: id, VpcId: vpcId = '', Tags }) =>
      id ? [{ id, vpcId, tags: fromTagList(Tags) }] : [],
    );
  },
});

export const carrierGatewayWrites = (client: EC2Client): CarrierGatewayWrites => ({
  createCarrierGateway: async ({ vpcId, tags }) => {
    const TagSpecifications = tagged('carrier-gateway', tags);
    const command = new CreateCarrierGatewayCommand({ VpcId: vpcId, TagSpecifications, ...tokenOf(tags) });
    return idOf((await client.send(command)).CarrierGateway?.CarrierGatewayId, 'CreateCarrierGateway');
  },
  deleteCarrierGateway: async (id) => {
    await client.send(new DeleteCarrierGatewayCommand({ CarrierGatewayId: id }));
  },
});
