import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import { KINDS } from '../kinds.ts';
import { describe } from '../pages.ts';
import type { EgressOnlyGateway } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagList, tagsFor } from '../tags.ts';

const create = (ec2: Ec2, input: sdk.CreateEgressOnlyInternetGatewayRequest): EgressOnlyGateway => {
  const vpc = ec2.vpcs.get(input.VpcId);
  const tags = tagsFor(input.TagSpecifications, 'egress-only-internet-gateway');
  const gateways = ec2.egressOnlyGateways.all();
  const repeated = gateways.find(({ clientToken }) => clientToken && clientToken === input.ClientToken);
  if (repeated) return repeated;
  if (gateways.length >= ec2.settings.quotas.egressOnlyGateways)
    throw new AwsFault(
      'EgressOnlyInternetGatewayLimitExceeded',
      'The maximum number of egress-only internet gateways has been reached.',
    );
  const born = ec2.born(KINDS.egressOnlyGateway, tags);
  return ec2.egressOnlyGateways.add({ ...born, vpcId: vpc.id, clientToken: input.ClientToken });
};

const view = ({ id, vpcId, tags }: EgressOnlyGateway): sdk.EgressOnlyInternetGateway => ({
  EgressOnlyInternetGatewayId: id,
  Attachments: [{ VpcId: vpcId, State: 'attached' }],
  Tags: tagList(tags),
});

/** Egress-only internet gateways. As in AWS, descriptions can be filtered only by tags. */
export const egressOnlyGatewayActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  CreateEgressOnlyInternetGateway: (input) => {
    onlySimulated('ec2:CreateEgressOnlyInternetGateway', input, ['VpcId', 'ClientToken', 'TagSpecifications']);
    return { EgressOnlyInternetGateway: view(create(ec2, input)), ClientToken: input.ClientToken };
  },
  DescribeEgressOnlyInternetGateways: ({ EgressOnlyInternetGatewayIds: ids, Filters, MaxResults, NextToken }) => {
    const question = { ids, filters: Filters, maxResults: MaxResults, nextToken: NextToken };
    const { rows, nextToken } = describe(ec2.egressOnlyGateways, question, {});
    return { EgressOnlyInternetGateways: rows.map(view), NextToken: nextToken };
  },
  DeleteEgressOnlyInternetGateway: ({ EgressOnlyInternetGatewayId }) => {
    ec2.egressOnlyGateways.remove(ec2.egressOnlyGateways.get(EgressOnlyInternetGatewayId).id);
    return { ReturnCode: true };
  },
});
