import {
  AttachInternetGatewayCommand,
  CreateInternetGatewayCommand,
  DeleteInternetGatewayCommand,
  DetachInternetGatewayCommand,
  type EC2Client,
  type InternetGateway,
  paginateDescribeInternetGateways,
} from '@aws-sdk/client-ec2';
import { collectPages } from '../../../../aws/pages.ts';
import { fromTagList, type Tags } from '../../tags.ts';
import type { Filter } from '../filters.ts';
import { idOf, type Pages, required, tagged, toFilters } from '../wire.ts';
import type { ObservedInternetGateway } from './model.ts';

export interface InternetGatewayReads {
  describeInternetGateways(filters: readonly Filter[]): Promise<ObservedInternetGateway[]>;
}

interface Attachment {
  internetGatewayId: string;
  vpcId: string;
}

export interface InternetGatewayWrites {
  createInternetGateway(tags: Tags): Promise<string>;
  attachInternetGateway(input: Attachment): Promise<void>;
  detachInternetGateway(input: Attachment): Promise<void>;
  deleteInternetGateway(internetGatewayId: string): Promise<void>;
}

const toInternetGateway = ({ InternetGatewayId, Attachments, Tags }: InternetGateway): ObservedInternetGateway => {
  const vpcId = Attachments?.find(({ State }) => State !== 'detached')?.VpcId;
  return {
    id: required(InternetGatewayId, 'InternetGatewayId'),
    ...(vpcId === undefined ? {} : { vpcId }),
    tags: fromTagList(Tags),
  };
};

export const internetGatewayReads = (paged: Pages): InternetGatewayReads => ({
  describeInternetGateways: async (filters) => {
    const pages = paginateDescribeInternetGateways(paged, { Filters: toFilters(filters) });
    return (await collectPages(pages, ({ InternetGateways }) => InternetGateways)).map(toInternetGateway);
  },
});

export const internetGatewayWrites = (client: EC2Client): InternetGatewayWrites => ({
  createInternetGateway: async (tags) => {
    const command = new CreateInternetGatewayCommand({ TagSpecifications: tagged('internet-gateway', tags) });
    return idOf((await client.send(command)).InternetGateway?.InternetGatewayId, 'CreateInternetGateway');
  },
  attachInternetGateway: async ({ internetGatewayId, vpcId }) => {
    await client.send(new AttachInternetGatewayCommand({ InternetGatewayId: internetGatewayId, VpcId: vpcId }));
  },
  detachInternetGateway: async ({ internetGatewayId, vpcId }) => {
    await client.send(new DetachInternetGatewayCommand({ InternetGatewayId: internetGatewayId, VpcId: vpcId }));
  },
  deleteInternetGateway: async (internetGatewayId) => {
    await client.send(new DeleteInternetGatewayCommand({ InternetGatewayId: internetGatewayId }));
  },
});
