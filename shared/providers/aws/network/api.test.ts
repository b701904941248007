import { expect, it } from 'vitest';
import { toAddress } from './addresses/api.ts';
import { toRouteTable } from './route-tables/api.ts';

it('an empty element of an answer is treated as absent', () => {
  const address = { AllocationId: 'eipalloc-1', AssociationId: undefined, NetworkInterfaceId: '' };
  expect(toAddress(address).isAssociated).toBe(false);
  expect(toAddress({ ...address, NetworkInterfaceId: 'eni-1' }).isAssociated).toBe(true);

  const route = { DestinationCidrBlock: '', DestinationIpv6CidrBlock: '::/0', NatGatewayId: '', GatewayId: 'igw-1' };
  expect(toRouteTable({ RouteTableId: 'rtb-1', Routes: [route] }).routes).toEqual([
    { destination: '::/0', target: 'igw-1', isBlackhole: false },
  ]);
});
