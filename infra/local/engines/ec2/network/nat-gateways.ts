import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import type { FilterFields } from '../filters.ts';
import { KINDS } from '../kinds.ts';
import { describe } from '../pages.ts';
import type { Address, NatGateway, Subnet } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagList, tagsFor } from '../tags.ts';
import { stateAt, turn } from '../timeline.ts';
import { zoneNamed } from '../zones.ts';
import { holderOf } from './addresses.ts';
import { hasInternetGateway } from './internet-gateways.ts';
import { addInterface } from './network-interfaces.ts';

type Failure = NonNullable<NatGateway['failure']>;

const stateOf = (ec2: Ec2, nat: NatGateway) => stateAt(nat.timeline, ec2.now());

const isAlive = (ec2: Ec2, nat: NatGateway): boolean => ['pending', 'available'].includes(stateOf(ec2, nat));

/** The reason why a NAT gateway fails after it was accepted. Source: the VPC guide, "Troubleshoot NAT gateways". */
const failureOf = (ec2: Ec2, subnet: Subnet, address: Address | undefined): Failure | undefined => {
  if (!address) return undefined;
  if (holderOf(ec2, address.id))
    return {
      code: 'Resource.AlreadyAssociated',
      message: `Elastic IP address ${address.id} is already associated with another resource`,
    };
  if (hasInternetGateway(ec2, subnet.vpcId)) return undefined;
  return { code: 'Gateway.NotAttached', message: `Network ${subnet.vpcId} has no Internet gateway attached` };
};

const checkQuota = (ec2: Ec2, zone: string): void => {
  const limit = ec2.settings.quotas.natGatewaysPerZone;
  const all = ec2.natGateways.all();
  if (all.length < limit) return;
  const inZone = all.filter((nat) => isAlive(ec2, nat) && ec2.subnets.find(nat.subnetId)?.zone === zone);
  if (inZone.length >= limit)
    throw new AwsFault(
      'NatGatewayLimitExceeded',
      `Performing this operation would exceed the limit of ${limit} NAT gateways`,
    );
};

const repeated = (ec2: Ec2, input: sdk.CreateNatGatewayRequest): NatGateway | undefined => {
  const found = ec2.natGateways.all().find(({ clientToken }) => clientToken && clientToken === input.ClientToken);
  if (found && (found.subnetId !== input.SubnetId || found.allocationId !== input.AllocationId))
    throw new AwsFault(
      'IdempotentParameterMismatch',
      'The client token was used before with other parameters; use the parameters of that request.',
    );
  return found;
};

const checkPlace = (ec2: Ec2, { zone, cidr }: Subnet): void => {
  if (zoneNamed(ec2.place.region, zone)?.type !== 'availability-zone')
    throw new AwsFault('NotAvailableInZone', `Nat Gateway is not available in this availability zone (${zone})`);
  if (!cidr) throw new AwsFault('InvalidSubnet', 'A NAT gateway cannot be made in an IPv6-only subnet');
};

const create = (ec2: Ec2, input: sdk.CreateNatGatewayRequest): NatGateway => {
  const subnet = ec2.subnets.get(input.SubnetId);
  checkPlace(ec2, subnet);
  const isPublic = input.ConnectivityType !== 'private';
  if (isPublic && !input.AllocationId)
    throw new AwsFault('MissingParameter', 'The request must contain the parameter AllocationId');
  const address = isPublic ? ec2.addresses.get(input.AllocationId) : undefined;
  const tags = tagsFor(input.TagSpecifications, 'natgateway');
  checkQuota(ec2, subnet.zone);
  const failure = failureOf(ec2, subnet, address);
  const born = ec2.born(KINDS.natGateway, tags);
  const row = failure
    ? undefined
    : addInterface(ec2, {
        subnet,
        description: `Interface for NAT Gateway ${born.id}`,
        interfaceType: 'nat_gateway',
        publicIp: address?.publicIp,
      });
  const at = ec2.now();
  const settled = { at: at + ec2.settings.natMilliseconds, state: failure ? 'failed' : 'available' } as const;
  return ec2.natGateways.add({
    ...born,
    vpcId: subnet.vpcId,
    subnetId: subnet.id,
    allocationId: address?.id,
    associationId: ec2.newId('eipassoc'),
    interfaceId: row?.id,
    clientToken: input.ClientToken,
    failure,
    timeline: [{ at, state: 'pending' }, settled],
  });
};

const remove = (ec2: Ec2, nat: NatGateway): void => {
  if (!isAlive(ec2, nat) && stateOf(ec2, nat) !== 'failed') return;
  const at = ec2.now();
  const gone = at + ec2.settings.natMilliseconds;
  nat.timeline = turn(nat.timeline, at, [
    { at, state: 'deleting' },
    { at: gone, state: 'deleted' },
  ]);
  const row = ec2.networkInterfaces.find(nat.interfaceId ?? '');
  if (row) row.releasedAt = gone;
};

const fieldsFor = (ec2: Ec2): FilterFields<NatGateway> => ({
  'nat-gateway-id': ({ id }) => id,
  'vpc-id': ({ vpcId }) => vpcId,
  'subnet-id': ({ subnetId }) => subnetId,
  state: (nat) => stateOf(ec2, nat),
});

const view = (ec2: Ec2, nat: NatGateway): sdk.NatGateway => {
  const state = stateOf(ec2, nat);
  const row = ec2.networkInterfaces.find(nat.interfaceId ?? '');
  const failure = state === 'failed' ? nat.failure : undefined;
  return {
    NatGatewayId: nat.id,
    VpcId: nat.vpcId,
    SubnetId: nat.subnetId,
    State: state,
    ConnectivityType: nat.allocationId ? 'public' : 'private',
    CreateTime: new Date(nat.createdAt),
    DeleteTime: deletedAt(nat),
    FailureCode: failure?.code,
    FailureMessage: failure?.message,
    NatGatewayAddresses: [
      {
        AllocationId: nat.allocationId,
        AssociationId: nat.allocationId && nat.associationId,
        NetworkInterfaceId: row?.id,
        PrivateIp: row?.privateIp,
        PublicIp: row?.publicIp,
        IsPrimary: true,
        Status: 'succeeded',
      },
    ],
    Tags: tagList(nat.tags),
  };
};

const deletedAt = (nat: NatGateway): Date | undefined => {
  const moment = nat.timeline.find(({ state }) => state === 'deleting');
  return moment && new Date(moment.at);
};

/** NAT gateways with one address. Each takes `natMilliseconds` to be created and to be deleted. */
export const natGatewayActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  CreateNatGateway: (input) => {
    const known = ['SubnetId', 'AllocationId', 'ConnectivityType', 'ClientToken', 'TagSpecifications'];
    onlySimulated('ec2:CreateNatGateway', input, known);
    const nat = repeated(ec2, input) ?? create(ec2, input);
    return { NatGateway: view(ec2, nat), ClientToken: input.ClientToken };
  },
  DescribeNatGateways: ({ NatGatewayIds, Filter, MaxResults, NextToken }) => {
    const question = { ids: NatGatewayIds, filters: Filter, maxResults: MaxResults, nextToken: NextToken };
    const { rows, nextToken } = describe(ec2.natGateways, question, fieldsFor(ec2));
    return { NatGateways: rows.map((nat) => view(ec2, nat)), NextToken: nextToken };
  },
  DeleteNatGateway: ({ NatGatewayId }) => {
    const nat = ec2.natGateways.get(NatGatewayId);
    remove(ec2, nat);
    return { NatGatewayId: nat.id };
  },
});
