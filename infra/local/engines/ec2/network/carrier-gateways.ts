import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import type { FilterFields } from '../filters.ts';
import { KINDS } from '../kinds.ts';
import { describe } from '../pages.ts';
import type { CarrierGateway } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagList, tagsFor } from '../tags.ts';

const create = (ec2: Ec2, input: sdk.CreateCarrierGatewayRequest): CarrierGateway => {
  const vpc = ec2.vpcs.get(input.VpcId);
  const tags = tagsFor(input.TagSpecifications, 'carrier-gateway');
  const gateways = ec2.carrierGateways.all();
  const repeated = gateways.find(({ clientToken }) => clientToken && clientToken === input.ClientToken);
  if (repeated) return repeated;
  if (gateways.some(({ vpcId }) => vpcId === vpc.id))
    throw new AwsFault('InvalidParameterValue', `The VPC ${vpc.id} already has a carrier gateway.`);
  return ec2.carrierGateways.add({
    ...ec2.born(KINDS.carrierGateway, tags),
    vpcId: vpc.id,
    clientToken: input.ClientToken,
  });
};

const fieldsFor = (ec2: Ec2): FilterFields<CarrierGateway> => ({
  'carrier-gateway-id': ({ id }) => id,
  'vpc-id': ({ vpcId }) => vpcId,
  'owner-id': () => ec2.place.accountId,
  state: () => 'available',
});

const view = (
  ec2: Ec2,
  { id, vpcId, tags }: CarrierGateway,
  State: sdk.CarrierGatewayState = 'available',
): sdk.CarrierGateway => ({
  CarrierGatewayId: id,
  VpcId: vpcId,
  OwnerId: ec2.place.accountId,
  State,
  Tags: tagList(tags),
});

/** Carrier gateways, one for each VPC. */
export const carrierGatewayActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  CreateCarrierGateway: (input) => {
    onlySimulated('ec2:CreateCarrierGateway', input, ['VpcId', 'ClientToken', 'TagSpecifications']);
    return { CarrierGateway: view(ec2, create(ec2, input), 'pending') };
  },
  DescribeCarrierGateways: ({ CarrierGatewayIds, Filters, MaxResults, NextToken }) => {
    const question = { ids: CarrierGatewayIds, filters: Filters, maxResults: MaxResults, nextToken: NextToken };
    const { rows, nextToken } = describe(ec2.carrierGateways, question, fieldsFor(ec2));
    return { CarrierGateways: rows.map((row) => view(ec2, row)), NextToken: nextToken };
  },
  DeleteCarrierGateway: ({ CarrierGatewayId }) => {
    const gateway = ec2.carrierGateways.get(CarrierGatewayId);
    ec2.carrierGateways.remove(gateway.id);
    return { CarrierGateway: view(ec2, gateway, 'deleting') };
  },
});
