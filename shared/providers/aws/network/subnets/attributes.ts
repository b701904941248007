import type { NetworkAction } from '../model.ts';
import { isIpv6Only } from './kinds.ts';
import type { DesiredSubnet, ObservedSubnet } from './model.ts';

/** Attributes that the subnet lacks. EC2 accepts one per call. */
export const planSubnetAttributes = (subnet: DesiredSubnet, found: ObservedSubnet): NetworkAction[] => {
  const subnetId = found.id;
  const hasIpv6 = subnet.ipv6CidrBlock !== undefined && found.ipv6CidrBlock !== undefined;
  const needsDns64 = hasIpv6 && isIpv6Only(subnet) && !subnet.isPublic;
  const { hostnameType } = subnet;
  return [
    ...(hasIpv6 && !found.assignsIpv6
      ? [{ type: 'SetSubnetAttribute' as const, subnetId, attribute: 'AssignIpv6AddressOnCreation' as const }]
      : []),
    ...(needsDns64 && !found.hasDns64
      ? [{ type: 'SetSubnetAttribute' as const, subnetId, attribute: 'EnableDns64' as const }]
      : []),
    ...(hostnameType !== undefined && found.hostnameType !== hostnameType
      ? [{ type: 'SetSubnetHostnames' as const, subnetId, hostnameType }]
      : []),
    // In a Wavelength Zone, an instance itself requests its carrier address.
    ...(subnet.isPublic && !found.mapsPublicIp && subnet.zoneType !== 'wavelength-zone' && !isIpv6Only(subnet)
      ? [{ type: 'MapPublicIpOnLaunch' as const, subnetId }]
      : []),
  ];
};
