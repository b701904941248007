import { blockAt, blocksIn, canonicalCidr, formatCidr, parseCidr } from '../../../../cidr.ts';
import type { SubnetSpec, VpcSpec } from '../../../../kinds/schema/aws-network.ts';
import { type ClusterName, isOwnedBy } from '../../tags.ts';
import { hasSameBlock, isRegularZone } from './kinds.ts';
import type { ObservedSubnet } from './model.ts';
import { givenName, subnetName } from './names.ts';

/** What upstream adds to a user's list of subnets before it creates them. */

interface Zone {
  name: string;
  type: string;
  parent?: string;
}

/** Zones in the list that may be edge zones and are not marked as such. */
export const zonesToLookUp = (subnets: readonly SubnetSpec[]): string[] => [
  ...new Set(
    subnets.flatMap(({ availabilityZone: zone, zoneType, parentZoneName }) =>
      zone && !isRegularZone(zone) && !(zoneType && parentZoneName) ? [zone] : [],
    ),
  ),
];

/** The user's list, and the data with which it is completed. */
interface Facts {
  cluster: ClusterName;
  vpc: VpcSpec;
  subnets: readonly SubnetSpec[];
  zones: readonly Zone[];
  /** All subnets of the VPC. */
  made: readonly ObservedSubnet[];
}

/**
 * The block of the subnet that was created for an entry, because a list that is applied again no longer contains it.
 * Without an IPv4 block, only the name shows to which entry a subnet belongs. Several subnets may have the same name,
 * so blocks that other entries have are skipped.
 */
const madeBlock = ({ cluster, made }: Facts, subnet: SubnetSpec, assigned: ReadonlySet<string>): string | undefined => {
  const { isPublic = false, availabilityZone = '', cidrBlock, tags } = subnet;
  const name = tags?.Name ?? givenName(subnet) ?? subnetName(cluster.name, isPublic, availabilityZone);
  const isIt = (one: ObservedSubnet) =>
    cidrBlock ? hasSameBlock(subnet, one) : one.cidrBlock === '' && one.tags.Name === name;
  return blocksOf(made.filter((one) => isOwnedBy(cluster, one.tags) && isIt(one))).find((one) => !assigned.has(one));
};

const blocksOf = (subnets: readonly { ipv6CidrBlock?: string }[]): string[] =>
  subnets.flatMap(({ ipv6CidrBlock }) => (ipv6CidrBlock ? [canonicalCidr(ipv6CidrBlock)] : []));

/**
 * A /64 for each subnet that uses IPv6 and has no block: that of the existing subnet, or else the VPC's first unused
 * one. As in upstream, the count starts at the second one.
 */
const withIpv6Blocks = (facts: Facts): SubnetSpec[] | undefined => {
  const { vpc, subnets, made } = facts;
  const assigned = new Set(blocksOf(subnets));
  const existing = new Set(blocksOf(made));
  const block = parseCidr(vpc.ipv6?.cidrBlock ?? '', 6);
  const free = (): string | undefined => {
    for (let index = 1; block && index < blocksIn(block, 64); index += 1) {
      const text = formatCidr(blockAt(block, 64, index));
      if (!assigned.has(text) && !existing.has(text)) return text;
    }
    return undefined;
  };
  const numbered: SubnetSpec[] = [];
  for (const subnet of subnets) {
    const isOpen = subnet.isIpv6 && !subnet.ipv6CidrBlock;
    const ipv6CidrBlock = isOpen ? (madeBlock(facts, subnet, assigned) ?? free()) : subnet.ipv6CidrBlock;
    if (subnet.isIpv6 && !ipv6CidrBlock) return undefined;
    for (const one of blocksOf([{ ipv6CidrBlock }])) assigned.add(one);
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
export const completeSubnets = (facts: Facts): { subnets: SubnetSpec[] } | { message: string } => {
  const { vpc, subnets, zones } = facts;
  const unknown = zonesToLookUp(subnets).find((name) => !zones.some((zone) => zone.name === name));
  if (unknown) {
    const index = subnets.findIndex(({ availabilityZone }) => availabilityZone === unknown);
    return {
      message: `spec.network.subnets[${index}].availabilityZone: ${unknown} is not a zone of the region that the account has opted in to`,
    };
  }
  const numbered = withIpv6Blocks(facts);
  if (numbered) return { subnets: numbered.map((subnet) => withZone(subnet, zones)) };
  const index = subnets.findIndex(({ isIpv6, ipv6CidrBlock }) => isIpv6 && !ipv6CidrBlock);
  const why = vpc.ipv6 ? `the VPC's block ${vpc.ipv6.cidrBlock} has no /64 left` : 'spec.network.vpc.ipv6 is not set';
  return { message: `spec.network.subnets[${index}].isIpv6: ${why}` };
};
