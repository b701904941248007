import type { DesiredSubnet, NetworkAction, ObservedRouteTable, ObservedSubnet } from './model.ts';

/** Any IPv6 address. */
export const ANYWHERE6 = '::/0';

/** Where NAT gateways reach IPv4 for those who have none; Amazon's resolver gives such addresses in subnets with DNS64. */
export const NAT64 = '64:ff9b::/96';

/** IPv6 without IPv4. */
export const isIpv6Only = ({ cidrBlock, ipv6CidrBlock }: Pick<DesiredSubnet, 'cidrBlock' | 'ipv6CidrBlock'>): boolean =>
  cidrBlock === '' && ipv6CidrBlock !== undefined;

/** What makes a route of a table lead to `target`; nothing where it does. */
export const planIpv6Route = (table: ObservedRouteTable, destination: string, target: string): NetworkAction[] => {
  const route = table.routes.find((one) => one.destination === destination);
  if (route?.target === target && !route.isBlackhole) return [];
  return [{ type: 'SetIpv6Route', routeTableId: table.id, destination, target, replaces: route !== undefined }];
};

/** Attributes that the subnet lacks. EC2 takes one a call. */
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
    // In a wavelength zone an instance asks for its carrier address by itself.
    ...(subnet.isPublic && !found.mapsPublicIp && subnet.zoneType !== 'wavelength-zone' && !isIpv6Only(subnet)
      ? [{ type: 'MapPublicIpOnLaunch' as const, subnetId }]
      : []),
  ];
};
