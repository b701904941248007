import { addressPoolOf } from '../../plan/addresses/pool.ts';
import { isOwnedBy } from '../../tags.ts';
import type { Driver } from '../driver.ts';
import { sharedTags } from '../parts.ts';
import type { AddressAction, SeenAddresses, WantedAddresses } from './model.ts';
import { takeDownAddresses } from './take-down.ts';

/** Addresses are planned with the NAT gateways, to which the condition belongs. */
export const addresses = {
  desired: (input): WantedAddresses => ({
    addressTags: sharedTags(input, 'eip-common'),
    elasticIpPool: addressPoolOf(input.spec.network?.vpc?.elasticIpPool),
  }),
  observe: {
    stage: 'first',
    look: async (ec2, { cluster, byTag }): Promise<SeenAddresses> => ({
      addresses: (await ec2.describeAddresses([byTag])).filter(({ tags }) => isOwnedBy(cluster, tags)),
    }),
  },
  ownPart: (observed): SeenAddresses => ({ addresses: observed.addresses }),
  takeDown: takeDownAddresses,
  operations: {
    AllocateAddress: {
      reason: 'AllocateEIP',
      call: (ec2, { tags, pool }) => ec2.allocateAddress(tags, pool),
      tell: ({ pool }, id) => `Allocated address ${id}${pool ? ` of pool ${pool}` : ''}`,
      drift: 'NatGateway',
      conditionOf: () => 'NatGatewaysReady',
    },
    ReleaseAddress: {
      reason: 'ReleaseEIP',
      call: (ec2, { allocationId }) => ec2.releaseAddress(allocationId),
      tell: ({ allocationId }) => `Released address ${allocationId}`,
      drift: 'NatGateway',
      conditionOf: () => 'NatGatewaysReady',
    },
  },
  cache: { reads: ['describeAddresses'], invalidates: { allocateAddress: ['describeAddresses'] } },
  rights: {
    reads: ['DescribeAddresses'],
    swept: ['DescribeAddresses'],
    creates: ['AllocateAddress'],
    changes: ['ReleaseAddress'],
    types: ['elastic-ip'],
    refersTo: { AllocateAddress: ['ipv4pool-ec2'] },
  },
} satisfies Driver<AddressAction, SeenAddresses, WantedAddresses>;
