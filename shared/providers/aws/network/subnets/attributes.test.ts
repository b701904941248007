import { expect, it } from 'vitest';
import { planSubnetAttributes } from './attributes.ts';
import type { DesiredSubnet, ObservedSubnet } from './model.ts';

const IPV6 = 'fd00::/64';

const planned = (wanted: Partial<DesiredSubnet>, observed: Partial<ObservedSubnet> = {}) => {
  const desired = { key: 'a', specId: 'a', zone: 'us-east-1a', isPublic: false, cidrBlock: '10.0.0.0/24' };
  const found = { id: 'subnet-1', vpcId: 'vpc-1', zone: 'us-east-1a', cidrBlock: '10.0.0.0/24', mapsPublicIp: false };
  const actions = planSubnetAttributes(
    { ...desired, tags: {}, routeTableTags: {}, ...wanted },
    { ...found, tags: {}, ...observed },
  );
  expect(actions.every((action) => 'subnetId' in action && action.subnetId === 'subnet-1')).toBe(true);
  return actions.map((action) => ('attribute' in action ? action.attribute : action.type));
};

it.each<{ reason: string; wanted: Partial<DesiredSubnet>; found?: Partial<ObservedSubnet>; sets: string[] }>([
  { reason: 'it is private', wanted: {}, sets: [] },
  { reason: 'it is public', wanted: { isPublic: true }, sets: ['MapPublicIpOnLaunch'] },
  {
    reason: 'it already assigns public addresses',
    wanted: { isPublic: true },
    found: { mapsPublicIp: true },
    sets: [],
  },
  { reason: 'it is in a wavelength zone', wanted: { isPublic: true, zoneType: 'wavelength-zone' }, sets: [] },
  {
    reason: 'it is in a local zone',
    wanted: { isPublic: true, zoneType: 'local-zone' },
    sets: ['MapPublicIpOnLaunch'],
  },
  {
    reason: 'it has both families',
    wanted: { ipv6CidrBlock: IPV6 },
    found: { ipv6CidrBlock: IPV6 },
    sets: ['AssignIpv6AddressOnCreation'],
  },
  { reason: 'EC2 has not given it its block yet', wanted: { ipv6CidrBlock: IPV6 }, sets: [] },
  {
    reason: 'it is private and has IPv6 only',
    wanted: { cidrBlock: '', ipv6CidrBlock: IPV6 },
    found: { ipv6CidrBlock: IPV6 },
    sets: ['AssignIpv6AddressOnCreation', 'EnableDns64'],
  },
  {
    reason: 'it is public and has IPv6 only',
    wanted: { isPublic: true, cidrBlock: '', ipv6CidrBlock: IPV6 },
    found: { ipv6CidrBlock: IPV6 },
    sets: ['AssignIpv6AddressOnCreation'],
  },
  {
    reason: 'everything is set',
    wanted: { cidrBlock: '', ipv6CidrBlock: IPV6, hostnameType: 'ip-name' },
    found: { ipv6CidrBlock: IPV6, assignsIpv6: true, hasDns64: true, hostnameType: 'ip-name' },
    sets: [],
  },
  {
    reason: 'its machines should have other host names',
    wanted: { hostnameType: 'resource-name' },
    found: { hostnameType: 'ip-name' },
    sets: ['SetSubnetHostnames'],
  },
])('a subnet gets $sets: $reason', ({ wanted, found, sets }) => {
  expect(planned(wanted, found)).toEqual(sets);
});
