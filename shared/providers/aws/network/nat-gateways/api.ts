import {
  CreateNatGatewayCommand,
  DeleteNatGatewayCommand,
  type EC2Client,
  type NatGateway,
  paginateDescribeNatGateways,
} from '@aws-sdk/client-ec2';
import { collectPages } from '../../../../aws/pages.ts';
import { fromTagList, type Tags } from '../../tags.ts';
import type { Filter } from '../filters.ts';
import { idOf, type Pages, required, tagged, toFilters } from '../wire.ts';
import type { ObservedNatGateway } from './model.ts';

export interface NatGatewayReads {
  describeNatGateways(filters: readonly Filter[]): Promise<ObservedNatGateway[]>;
}

interface NewNatGateway {
  subnetId: string;
  allocationId: string;
  clientToken: string;
  tags: Tags;
}

export interface NatGatewayWrites {
  createNatGateway(input: NewNatGateway): Promise<string>;
  deleteNatGateway(natGatewayId: string): Promise<void>;
}

const toNatGateway = (gateway: NatGateway): ObservedNatGateway => {
  const [address] = gateway.NatGatewayAddresses ?? [];
  return {
    id: required(gateway.NatGatewayId, 'NatGatewayId'),
    vpcId: gateway.VpcId ?? '',
    subnetId: gateway.SubnetId ?? '',
    state: gateway.State ?? 'pending',
    allocationId: address?.AllocationId,
    publicIp: address?.PublicIp,
    ...(gateway.FailureCode ? { failure: `${gateway.FailureCode}: ${gateway.FailureMessage ?? ''}` } : {}),
    tags: fromTagList(gateway.Tags),
  };
};

export const natGatewayReads = (paged: Pages): NatGatewayReads => ({
  describeNatGateways: async (filters) => {
    const pages = paginateDescribeNatGateways(paged, { Filter: toFilters(filters) });
    return (await collectPages(pages, ({ NatGateways }) => NatGateways)).map(toNatGateway);
  },
});

export const natGatewayWrites = (client: EC2Client): NatGatewayWrites => ({
  createNatGateway: async (input) => {
    const command = new CreateNatGatewayCommand({
      SubnetId: input.subnetId,
      AllocationId: input.allocationId,
      ClientToken: input.clientToken,
      ConnectivityType: 'public',
      TagSpecifications: tagged('natgateway', input.tags),
    });
    return idOf((await client.send(command)).NatGateway?.NatGatewayId, 'CreateNatGateway');
  },
  deleteNatGateway: async (natGatewayId) => {
    await client.send(new DeleteNatGatewayCommand({ NatGatewayId: natGatewayId }));
  },
});
