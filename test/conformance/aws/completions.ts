/** What an emulator leaves out of calls that it takes, completed on the way so that a cluster comes to be nevertheless. */
import type { Forward } from '../../../infra/local/engines/wire/server.ts';
import { valueIn } from './raw.ts';

type Complete = (forward: Forward) => Forward;

export interface Completion {
  /** What it cannot do, in the words of the table. */
  gap: string;
  /** What the suite does about it. */
  instead: string;
  service: string;
  complete: Complete;
}

const formOf = (body: Buffer): URLSearchParams => new URLSearchParams(body.toString());

const textOf = (body: string | Uint8Array): string => Buffer.from(body).toString();

/** Remembers the user data of each launch and answers with them. */
const rememberUserData: Complete = (forward) => {
  const known = new Map<string, string>();
  return async (request) => {
    const form = formOf(request.body);
    const answer = await forward(request);
    const action = form.get('Action');
    if (action === 'RunInstances')
      for (const [, id] of textOf(answer.body).matchAll(/<instanceId>([^<]+)<\/instanceId>/g))
        known.set(id ?? '', form.get('UserData') ?? '');
    if (action !== 'DescribeInstanceAttribute' || form.get('Attribute') !== 'userData') return answer;
    const value = known.get(form.get('InstanceId') ?? '') ?? '';
    return {
      ...answer,
      body: textOf(answer.body).replace('<userData/>', `<userData><value>${value}</value></userData>`),
    };
  };
};

/** Subnet and groups of the one network interface, as the parameters of the instance that mean the same. */
const flattenInterface: Complete = (forward) => (request) => {
  const form = formOf(request.body);
  if (form.get('Action') !== 'RunInstances') return forward(request);
  const flat = new URLSearchParams();
  for (const [name, value] of form)
    flat.append(name.replace(/^NetworkInterface\.1\.(SubnetId$|SecurityGroupId\.)/, '$1'), value);
  return forward({ ...request, body: Buffer.from(flat.toString()) });
};

export const MINISTACK: readonly Completion[] = [
  {
    gap: 'Tell the user data of an instance (DescribeInstanceAttribute says that there are none)',
    instead: 'The suite remembers those of RunInstances',
    service: 'ec2',
    complete: rememberUserData,
  },
  {
    gap: 'Launch with the subnet and the security groups of a network interface (they are passed over)',
    instead: 'The suite hands them over as those of the instance',
    service: 'ec2',
    complete: flattenInterface,
  },
];

/** Lets go of the address and the network interface of a NAT gateway that is deleted. */
const releaseGateway: Complete = (forward) => async (request) => {
  const form = formOf(request.body);
  const answer = await forward(request);
  if (form.get('Action') !== 'DeleteNatGateway' || answer.status >= 400) return answer;
  const call = async (fields: Record<string, string>): Promise<string> => {
    const body = Buffer.from(new URLSearchParams({ Version: '2016-11-15', ...fields }).toString());
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
  {
    gap: 'Let go of the address and the network interface of a NAT gateway that is deleted',
    instead: 'The suite takes them away by themselves',
    service: 'ec2',
    complete: releaseGateway,
  },
];

export const COMPLETIONS = { moto: MOTO, ministack: MINISTACK } as const;
