import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import { applyFilters, type FilterFields } from '../filters.ts';
import { interfacesOf } from '../instances/interfaces.ts';
import { KINDS } from '../kinds.ts';
import type { Address, NatGateway, NetworkInterface } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagList, tagsFor } from '../tags.ts';
import { stateAt } from '../timeline.ts';
import { openZones } from '../zones.ts';
import { takePoolAddress } from './address-pools.ts';
import { hasInternetGateway } from './internet-gateways.ts';

/**
 * The NAT gateway that uses an address: from its creation until it is deleted; if it failed, it does not use the
 * address.
 */
export const holderOf = (ec2: Ec2, allocationId: string): NatGateway | undefined =>
  ec2.natGateways
    .of(allocationId)
    .find((nat) => !nat.failure && ['pending', 'available', 'deleting'].includes(stateAt(nat.timeline, ec2.now())));

interface Hold {
  readonly associationId: string;
  /** Undefined for a NAT gateway without an interface. */
  readonly row: NetworkInterface | undefined;
}

/** The target of an address: a NAT gateway, or its associated interface, as long as that exists. */
const holdOf = (ec2: Ec2, { id, binding }: Address): Hold | undefined => {
  const nat = holderOf(ec2, id);
  if (nat) return { associationId: nat.associationId, row: ec2.networkInterfaces.find(nat.interfaceId ?? '') };
  const row = binding && ec2.networkInterfaces.find(binding.interfaceId);
  return row && { associationId: binding.associationId, row };
};

const fieldsFor = (ec2: Ec2): FilterFields<Address> => ({
  'allocation-id': ({ id }) => id,
  'public-ip': ({ publicIp }) => publicIp,
  domain: () => 'vpc',
  'association-id': (address) => holdOf(ec2, address)?.associationId,
  'instance-id': (address) => holdOf(ec2, address)?.row?.instanceId,
  'network-interface-id': (address) => holdOf(ec2, address)?.row?.id,
});

const view = (ec2: Ec2, address: Address): sdk.Address => {
  const hold = holdOf(ec2, address);
  const row = hold?.row;
  return {
    AllocationId: address.id,
    PublicIp: address.publicIp,
    PublicIpv4Pool: address.poolId ?? 'amazon',
    NetworkBorderGroup: address.borderGroup ?? ec2.place.region,
    Domain: 'vpc',
    AssociationId: hold?.associationId,
    InstanceId: row?.instanceId,
    NetworkInterfaceId: row?.id,
    PrivateIpAddress: row?.privateIp,
    NetworkInterfaceOwnerId: row && ec2.place.accountId,
    Tags: tagList(address.tags),
  };
};

const release = (ec2: Ec2, address: Address): void => {
  // An address of a NAT gateway is associated with an interface that belongs to AWS, which explains the unexpected
  // code.
  if (holderOf(ec2, address.id))
    throw new AwsFault('AuthFailure', 'You do not have permission to access the specified resource.');
  if (holdOf(ec2, address)) throw new AwsFault('InvalidIPAddress.InUse', `Address ${address.publicIp} is in use.`);
  ec2.addresses.remove(address.id);
};

const checkBorderGroup = (ec2: Ec2, group: string | undefined): void => {
  if (group === undefined || openZones(ec2).some(({ borderGroup }) => borderGroup === group)) return;
  throw new AwsFault('InvalidParameterValue', `Value (${group}) for parameter networkBorderGroup is invalid.`);
};

/** The interface with which an address is associated: the named one, or that of the instance. */
const targetOf = (ec2: Ec2, { InstanceId, NetworkInterfaceId }: sdk.AssociateAddressRequest): NetworkInterface => {
  if (NetworkInterfaceId) return ec2.networkInterfaces.get(NetworkInterfaceId);
  if (!InstanceId)
    throw new AwsFault('MissingParameter', 'Either instance ID or network interface ID must be specified');
  const instance = ec2.instances.get(InstanceId);
  const [row, another] = interfacesOf(ec2, instance);
  if (another)
    throw new AwsFault(
      'InvalidInstanceID',
      `There are multiple interfaces attached to instance '${InstanceId}'. Please specify an interface ID for the operation instead.`,
    );
  const state = stateAt(instance.timeline, ec2.now());
  if (!row || !['running', 'stopping', 'stopped'].includes(state))
    throw new AwsFault(
      'InvalidInstanceID',
      `The ${state} instance '${InstanceId}' is not in a valid state for this operation.`,
    );
  return row;
};

const unbind = (ec2: Ec2, address: Address): void => {
  const row = holdOf(ec2, address)?.row;
  if (row) row.publicIp = undefined;
  address.binding = undefined;
};

/** Whether an address has a target. */
export const isHeld = (ec2: Ec2, address: Address): boolean => holdOf(ec2, address) !== undefined;

/** Associates an address with an interface, and removes a previous association. */
export const bind = (ec2: Ec2, address: Address, row: NetworkInterface, mayMove: boolean): string => {
  const hold = holdOf(ec2, address);
  if (hold && hold.row?.id !== row.id && !mayMove)
    throw new AwsFault(
      'Resource.AlreadyAssociated',
      `resource ${address.id} is already associated with associate-id ${hold.associationId}`,
    );
  if (hold && hold.row?.id === row.id) return hold.associationId;
  if (!hasInternetGateway(ec2, row.vpcId))
    throw new AwsFault('Gateway.NotAttached', `Network ${row.vpcId} is not attached to any internet gateway`);
  unbind(ec2, address);
  for (const other of ec2.addresses.all()) if (other.binding?.interfaceId === row.id) other.binding = undefined;
  address.binding = { associationId: ec2.newId('eipassoc'), interfaceId: row.id };
  row.publicIp = address.publicIp;
  return address.binding.associationId;
};

/** Elastic IP addresses: of instances, of NAT gateways, or unused. */
export const addressActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  AllocateAddress: (input) => {
    onlySimulated('ec2:AllocateAddress', input, [
      'Domain',
      'TagSpecifications',
      'PublicIpv4Pool',
      'NetworkBorderGroup',
    ]);
    const tags = tagsFor(input.TagSpecifications, 'elastic-ip');
    if (ec2.addresses.all().length >= ec2.settings.quotas.addresses)
      throw new AwsFault('AddressLimitExceeded', 'The maximum number of addresses has been reached.');
    const { PublicIpv4Pool: pool, NetworkBorderGroup: borderGroup } = input;
    // EC2 also accepts the name of its own pool.
    const poolId = pool === 'amazon' ? undefined : pool;
    checkBorderGroup(ec2, borderGroup);
    const publicIp = poolId === undefined ? ec2.newPublicIp() : takePoolAddress(ec2, poolId);
    const address = ec2.addresses.add({ ...ec2.born(KINDS.address, tags), publicIp, poolId, borderGroup });
    const { PrivateIpAddress: _none, Tags: _tags, ...answer } = view(ec2, address);
    return answer;
  },
  DescribeAddresses: ({ AllocationIds, PublicIps, Filters }) => {
    const rows = ec2.addresses.seen(AllocationIds);
    const unknown = PublicIps?.find((ip) => !rows.some(({ publicIp }) => publicIp === ip));
    if (unknown) throw new AwsFault('InvalidAddress.NotFound', `Address '${unknown}' not found.`);
    const asked = rows.filter(({ publicIp }) => !PublicIps?.length || PublicIps.includes(publicIp));
    return { Addresses: applyFilters(asked, Filters, fieldsFor(ec2)).map((row) => view(ec2, row)) };
  },
  AssociateAddress: (input) => {
    onlySimulated('ec2:AssociateAddress', input, [
      'AllocationId',
      'InstanceId',
      'NetworkInterfaceId',
      'AllowReassociation',
    ]);
    const address = ec2.addresses.get(input.AllocationId);
    // In a VPC, it moves unless the caller forbids it.
    return { AssociationId: bind(ec2, address, targetOf(ec2, input), input.AllowReassociation !== false) };
  },
  DisassociateAddress: (input) => {
    onlySimulated('ec2:DisassociateAddress', input, ['AssociationId']);
    const address = ec2.addresses.all().find((one) => one.binding?.associationId === input.AssociationId);
    if (!address || !holdOf(ec2, address))
      throw new AwsFault('InvalidAssociationID.NotFound', `The association ID '${input.AssociationId}' does not exist`);
    unbind(ec2, address);
    return {};
  },
  ReleaseAddress: (input) => {
    onlySimulated('ec2:ReleaseAddress', input, ['AllocationId', 'NetworkBorderGroup']);
    release(ec2, ec2.addresses.get(input.AllocationId));
    return {};
  },
});
