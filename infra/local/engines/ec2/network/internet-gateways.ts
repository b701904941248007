import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import type { FilterFields } from '../filters.ts';
import { KINDS } from '../kinds.ts';
import { describe } from '../pages.ts';
import type { InternetGateway, Vpc } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagList, tagsFor } from '../tags.ts';

/** Whether a VPC has internet access. */
export const hasInternetGateway = (ec2: Ec2, vpcId: string): boolean =>
  ec2.internetGateways.all().some((gateway) => gateway.vpcId === vpcId);

/** Creates an internet gateway, attached if a VPC is given. */
export const addInternetGateway = (ec2: Ec2, vpcId?: string, tags?: ReadonlyMap<string, string>): InternetGateway =>
  ec2.internetGateways.add({ ...ec2.born(KINDS.internetGateway, tags), vpcId });

const attach = (ec2: Ec2, gateway: InternetGateway, vpc: Vpc): void => {
  if (gateway.vpcId !== undefined)
    throw new AwsFault(
      'Resource.AlreadyAssociated',
      `resource ${gateway.id} is already attached to network ${gateway.vpcId}`,
    );
  if (hasInternetGateway(ec2, vpc.id))
    throw new AwsFault('InvalidParameterValue', `Network ${vpc.id} already has an internet gateway attached`);
  gateway.vpcId = vpc.id;
};

const detach = (ec2: Ec2, gateway: InternetGateway, vpc: Vpc): void => {
  if (gateway.vpcId !== vpc.id)
    throw new AwsFault('Gateway.NotAttached', `resource ${gateway.id} is not attached to network ${vpc.id}`);
  if (ec2.networkInterfaces.all().some(({ vpcId, publicIp }) => vpcId === vpc.id && publicIp !== undefined))
    throw new AwsFault(
      'DependencyViolation',
      `Network ${vpc.id} has some mapped public address(es). Please unmap those public address(es) before detaching the gateway.`,
    );
  gateway.vpcId = undefined;
};

const fields: FilterFields<InternetGateway> = {
  'internet-gateway-id': ({ id }) => id,
  'attachment.vpc-id': ({ vpcId }) => vpcId,
  'attachment.state': ({ vpcId }) => vpcId && 'available',
};

const view = (ec2: Ec2, { id, vpcId, tags }: InternetGateway): sdk.InternetGateway => ({
  InternetGatewayId: id,
  OwnerId: ec2.place.accountId,
  // EC2 answers with a state of VPN gateways here, which SDK clients treat as text.
  Attachments: vpcId ? [{ VpcId: vpcId, State: 'available' as sdk.AttachmentStatus }] : [],
  Tags: tagList(tags),
});

/** Internet gateways. */
export const internetGatewayActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  CreateInternetGateway: ({ TagSpecifications }) => {
    const tags = tagsFor(TagSpecifications, 'internet-gateway');
    if (ec2.internetGateways.all().length >= ec2.settings.quotas.internetGateways)
      throw new AwsFault('InternetGatewayLimitExceeded', 'The maximum number of internet gateways has been reached.');
    return { InternetGateway: view(ec2, addInternetGateway(ec2, undefined, tags)) };
  },
  DescribeInternetGateways: ({ InternetGatewayIds, Filters, MaxResults, NextToken }) => {
    const question = { ids: InternetGatewayIds, filters: Filters, maxResults: MaxResults, nextToken: NextToken };
    const { rows, nextToken } = describe(ec2.internetGateways, question, fields);
    return { InternetGateways: rows.map((row) => view(ec2, row)), NextToken: nextToken };
  },
  AttachInternetGateway: ({ InternetGatewayId, VpcId }) => {
    attach(ec2, ec2.internetGateways.get(InternetGatewayId), ec2.vpcs.get(VpcId));
    return {};
  },
  DetachInternetGateway: ({ InternetGatewayId, VpcId }) => {
    detach(ec2, ec2.internetGateways.get(InternetGatewayId), ec2.vpcs.get(VpcId));
    return {};
  },
  DeleteInternetGateway: ({ InternetGatewayId }) => {
    const gateway = ec2.internetGateways.get(InternetGatewayId);
    if (gateway.vpcId !== undefined)
      throw new AwsFault(
        'DependencyViolation',
        `The internetGateway '${gateway.id}' has dependencies and cannot be deleted.`,
      );
    ec2.internetGateways.remove(gateway.id);
    return {};
  },
});
