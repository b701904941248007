import { type Address, DescribeAddressesCommand, type EC2Client } from '@aws-sdk/client-ec2';
import { allocateAddress, releaseAddress } from '../../api/ec2-addresses.ts';
import { fromTagList, type Tags } from '../../tags.ts';
import type { Filter } from '../filters.ts';
import { firstOf, type Pages, required, toFilters } from '../wire.ts';
import type { ObservedAddress } from './model.ts';

export interface AddressReads {
  describeAddresses(filters: readonly Filter[]): Promise<ObservedAddress[]>;
}

export interface AddressWrites {
  /** From the given pool, or else one of Amazon's. */
  allocateAddress(tags: Tags, pool?: string): Promise<string>;
  releaseAddress(allocationId: string): Promise<void>;
}

export const toAddress = ({
  AllocationId,
  PublicIp,
  AssociationId,
  NetworkInterfaceId,
  Tags,
}: Address): ObservedAddress => ({
  allocationId: required(AllocationId, 'AllocationId'),
  publicIp: PublicIp ?? '',
  isAssociated: firstOf(AssociationId, NetworkInterfaceId) !== undefined,
  tags: fromTagList(Tags),
});

export const addressReads = ({ client }: Pages): AddressReads => ({
  describeAddresses: async (filters) => {
    const answer = await client.send(new DescribeAddressesCommand({ Filters: toFilters(filters) }));
    return (answer.Addresses ?? []).map(toAddress);
  },
});

export const addressWrites = (client: EC2Client): AddressWrites => ({
  allocateAddress: (tags, pool) => allocateAddress(client, tags, pool),
  releaseAddress: (allocationId) => releaseAddress(client, allocationId),
});
