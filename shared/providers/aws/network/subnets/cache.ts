import { addTo, changeIn } from '../cached-lists.ts';
import type { DriverCache } from '../driver.ts';
import type { NewSubnet } from './api.ts';
import type { ObservedSubnet } from './model.ts';

const newSubnet = (id: string, { vpcId, zone, cidrBlock, ipv6CidrBlock, tags }: NewSubnet): ObservedSubnet => ({
  ...{ id, vpcId, zone, cidrBlock, tags },
  ...(ipv6CidrBlock ? { ipv6CidrBlock } : {}),
  ...{ assignsIpv6: false, hasDns64: false, mapsPublicIp: false },
});

export const subnetCache: DriverCache = {
  reads: ['describeSubnets'],
  invalidates: { setSubnetAttribute: ['describeSubnets'], setSubnetHostnames: ['describeSubnets'] },
  updates: {
    createSubnet: (known, id, input) => addTo(known, 'describeSubnets', newSubnet(id, input)),
    mapPublicIpOnLaunch: (known, _, subnetId) =>
      changeIn(known, 'describeSubnets', subnetId, (subnet) => ({ ...subnet, mapsPublicIp: true })),
  },
};
