import { blockAt, blocksIn, canonicalCidr, formatCidr, parseCidr } from '../../../../cidr.ts';
import type { SubnetSpec, VpcSpec } from '../../../../kinds/schema/aws-network.ts';
import { isRegularZone } from './kinds.ts';

/** What upstream adds to a list of subnets that the user wrote, before it makes them. */

interface Zone {
  name: string;
  type: string;
  parent?: string;
}

/** Zones of the list that may be edge zones and are not marked as such. */
export const zonesToLookUp = (subnets: readonly SubnetSpec[]): string[] => [
  ...new Set(
    subnets.flatMap(({ availabilityZone: zone, zoneType, parentZoneName }) =>
      zone && !isRegularZone(zone) && !(zoneType && parentZoneName) ? [zone] : [],
    ),
  ),
];

/**
 * A /64 for each subnet that uses IPv6 without a block: the VPC's first unused one. As upstream, the count starts at
 * the second one.
 */
const withIpv6Blocks = (vpc: VpcSpec, subnets: readonly SubnetSpec[]): SubnetSpec[] | undefined => {
  const used = new Set(subnets.flatMap(({ ipv6CidrBlock }) => (ipv6CidrBlock ? [canonicalCidr(ipv6CidrBlock)] : [])));
  const block = parseCidr(vpc.ipv6?.cidrBlock ?? '', 6);
  const free = (): string | undefined => {
    for (let index = 1; block && index < blocksIn(block, 64); index += 1) {
      const text = formatCidr(blockAt(block, 64, index));
      if (!used.has(text)) return text;
    }
    return undefined;
  };
  const numbered: SubnetSpec[] = [];
  for (const subnet of subnets) {
    const ipv6CidrBlock = subnet.isIpv6 && !subnet.ipv6CidrBlock ? free() : subnet.ipv6CidrBlock;
    if (subnet.isIpv6 && !ipv6CidrBlock) return undefined;
    if (ipv6CidrBlock) used.add(ipv6CidrBlock);
    numbered.push(ipv6CidrBlock ? { ...subnet, ipv6CidrBlock } : subnet);
  }
  return numbered;
};

const withZone = (subnet: SubnetSpec, zones: readonly Zone[]): SubnetSpec => {
  const zone = zones.find(({ name }) => name === subnet.availabilityZone);
  if (!zone) return subnet;
  return {
    ...subnet,
    zoneType: zone.type as SubnetSpec['zoneType'],
    ...(zone.parent ? { parentZoneName: zone.parent } : {}),
  };
};

/** The completed list, or what a user must change. */
export const completeSubnets = (
  vpc: VpcSpec,
  subnets: readonly SubnetSpec[],
  zones: readonly Zone[],
): { subnets: SubnetSpec[] } | { message: string } => {
  const unknown = zonesToLookUp(subnets).find((name) => !zones.some((zone) => zone.name === name));
  if (unknown) {
    const index = subnets.findIndex(({ availabilityZone }) => availabilityZone === unknown);
    return {
      message: `spec.network.subnets[${index}].availabilityZone: ${unknown} is not a zone of the region that the account has opted in to`,
    };
  }
  const numbered = withIpv6Blocks(vpc, subnets);
  if (numbered) return { subnets: numbered.map((subnet) => withZone(subnet, zones)) };
  const index = subnets.findIndex(({ isIpv6, ipv6CidrBlock }) => isIpv6 && !ipv6CidrBlock);
  const why = vpc.ipv6 ? `the VPC's block ${vpc.ipv6.cidrBlock} has no /64 left` : 'spec.network.vpc.ipv6 is not set';
  return { message: `spec.network.subnets[${index}].isIpv6: ${why}` };
};
