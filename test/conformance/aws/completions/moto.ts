/** The features that the suite adds to moto. */
import { valueIn } from '../raw.ts';
import { bodyOf, type Complete, type Completion, formOf, textOf } from './completion.ts';
import { DRY_RUN } from './dry-run.ts';

/** Releases the address and the network interface of a deleted NAT gateway. */
const releaseGateway: Complete = (forward) => async (request) => {
  const form = formOf(request.body);
  const answer = await forward(request);
  if (form.get('Action') !== 'DeleteNatGateway' || answer.status >= 400) return answer;
  const call = async (fields: Record<string, string>): Promise<string> => {
    const body = bodyOf({ Version: '2016-11-15', ...fields });
    return textOf((await forward({ ...request, body })).body);
  };
  const NatGatewayId = form.get('NatGatewayId') ?? '';
  const gateway = await call({ Action: 'DescribeNatGateways', 'NatGatewayId.1': NatGatewayId });
  const AllocationId = valueIn(gateway, 'allocationId');
  const address = await call({ Action: 'DescribeAddresses', 'AllocationId.1': AllocationId });
  await call({ Action: 'DisassociateAddress', AssociationId: valueIn(address, 'associationId') });
  await call({ Action: 'DeleteNetworkInterface', NetworkInterfaceId: valueIn(gateway, 'networkInterfaceId') });
  return answer;
};

export const MOTO: readonly Completion[] = [
  DRY_RUN,
  {
    gap: 'Release the address and the network interface of a deleted NAT gateway',
    instead: 'The suite deletes them separately',
    shownBy: 'the address of a NAT gateway that is deleted',
    service: 'ec2',
    complete: releaseGateway,
  },
];
