import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, onlySimulated } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import { takePoolAddress } from './address-pools.ts';
import { applyFilters, type FilterFields } from './filters.ts';
import { KINDS } from './kinds.ts';
import type { Address, NatGateway } from './records.ts';
import type { Ec2 } from './state.ts';
import { tagList, tagsFor } from './tags.ts';
import { stateAt } from './timeline.ts';
import { openZones } from './zones.ts';

/** The NAT gateway that holds an address: from its creation until it is deleted, or never where it failed. */
export const holderOf = (ec2: Ec2, allocationId: string): NatGateway | undefined =>
  ec2.natGateways
    .all()
    .find(
      (nat) =>
        nat.allocationId === allocationId &&
        !nat.failure &&
        ['pending', 'available', 'deleting'].includes(stateAt(nat.timeline, ec2.now())),
    );

const fieldsFor = (ec2: Ec2): FilterFields<Address> => ({
  'allocation-id': ({ id }) => id,
  'public-ip': ({ publicIp }) => publicIp,
  domain: () => 'vpc',
  'association-id': (address) => holderOf(ec2, address.id)?.associationId,
  'instance-id': () => undefined,
  'network-interface-id': (address) => holderOf(ec2, address.id)?.interfaceId,
});

const view = (ec2: Ec2, address: Address): sdk.Address => {
  const nat = holderOf(ec2, address.id);
  const row = ec2.networkInterfaces.find(nat?.interfaceId ?? '');
  return {
    AllocationId: address.id,
    PublicIp: address.publicIp,
    PublicIpv4Pool: address.poolId ?? 'amazon',
    NetworkBorderGroup: address.borderGroup ?? ec2.place.region,
    Domain: 'vpc',
    AssociationId: nat?.associationId,
    NetworkInterfaceId: nat?.interfaceId,
    PrivateIpAddress: row?.privateIp,
    NetworkInterfaceOwnerId: row && ec2.place.accountId,
    Tags: tagList(address.tags),
  };
};

const release = (ec2: Ec2, address: Address): void => {
  // An address of a NAT gateway hangs on an interface that belongs to AWS, hence the odd code.
  if (holderOf(ec2, address.id))
    throw new AwsFault('AuthFailure', 'You do not have permission to access the specified resource.');
  ec2.addresses.remove(address.id);
};

const checkBorderGroup = (ec2: Ec2, group: string | undefined): void => {
  if (group === undefined || openZones(ec2).some(({ borderGroup }) => borderGroup === group)) return;
  throw new AwsFault('InvalidParameterValue', `Value (${group}) for parameter networkBorderGroup is invalid.`);
};

/** Elastic IP addresses. Binding one to an instance by hand (AssociateAddress) is not simulated. */
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
    // EC2 takes the name of its own pool as well.
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
  ReleaseAddress: (input) => {
    onlySimulated('ec2:ReleaseAddress', input, ['AllocationId', 'NetworkBorderGroup']);
    release(ec2, ec2.addresses.get(input.AllocationId));
    return {};
  },
});
