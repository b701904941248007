import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import type { Subnet } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { zoneNamed } from '../zones.ts';

const KNOWN = [
  'MapPublicIpOnLaunch',
  'AssignIpv6AddressOnCreation',
  'EnableDns64',
  'PrivateDnsHostnameTypeOnLaunch',
  'EnableResourceNameDnsARecordOnLaunch',
  'EnableResourceNameDnsAAAARecordOnLaunch',
];

const refuse = (message: string): AwsFault => new AwsFault('InvalidParameterValue', message);

const checkPublicIp = (ec2: Ec2, subnet: Subnet): void => {
  if (zoneNamed(ec2.place.region, subnet.zone)?.type === 'wavelength-zone')
    throw refuse(`Subnet ${subnet.id} is in a Wavelength Zone, where mapPublicIpOnLaunch cannot be set.`);
};

const checkHostnames = ({ id, cidr }: Subnet, type: sdk.HostnameType): void => {
  if (cidr === undefined && type === 'ip-name')
    throw refuse(`Subnet ${id} is IPv6-only: its hostname type must be resource-name.`);
};

/** Changes one attribute of a subnet: EC2 accepts only one per request. */
export const modifySubnet = (ec2: Ec2, { SubnetId, ...attributes }: sdk.ModifySubnetAttributeRequest): void => {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  onlySimulated('ec2:ModifySubnetAttribute', attributes, KNOWN);
  if (given.length > 1)
    throw new AwsFault('InvalidParameterCombination', 'Only one subnet attribute can be modified at a time');
  const subnet = ec2.subnets.get(SubnetId);
  const { MapPublicIpOnLaunch, AssignIpv6AddressOnCreation, PrivateDnsHostnameTypeOnLaunch: names } = attributes;
  if (MapPublicIpOnLaunch?.Value) checkPublicIp(ec2, subnet);
  if (AssignIpv6AddressOnCreation?.Value && !subnet.ipv6)
    throw refuse(`Invalid value 'true' for assignIpv6AddressOnCreation. Subnet ${subnet.id} has no IPv6 CIDR block.`);
  if (names) checkHostnames(subnet, names);
  subnet.mapPublicIp = MapPublicIpOnLaunch?.Value ?? subnet.mapPublicIp;
  subnet.assignIpv6 = AssignIpv6AddressOnCreation?.Value ?? subnet.assignIpv6;
  subnet.dns64 = attributes.EnableDns64?.Value ?? subnet.dns64;
  subnet.hostnameType = names ?? subnet.hostnameType;
  subnet.resourceNameA = attributes.EnableResourceNameDnsARecordOnLaunch?.Value ?? subnet.resourceNameA;
  subnet.resourceNameAAAA = attributes.EnableResourceNameDnsAAAARecordOnLaunch?.Value ?? subnet.resourceNameAAAA;
};
