import { blockAt, blocksIn, type Cidr, cidrOf, formatCidr, parseCidr } from '../../../../cidr.ts';
import type { SubnetSpec, VpcSpec } from '../../../../kinds/schema/aws-network.ts';
import { subnetName } from './names.ts';

/** EC2 creates no smaller subnets. */
const LONGEST_PREFIX = 28;

/** The range has no room for the subnets. A user must choose a larger range or fewer zones. */
export class TooSmallRangeError extends Error {
  override readonly name = 'TooSmallRange';
}

type Choice = Pick<VpcSpec, 'availabilityZoneUsageLimit' | 'availabilityZoneSelection'>;

/**
 * The zones that a cluster uses: the first ones in sorted order, or with `Random` any, in the order of `shuffle`, and
 * never more than the limit (3 by default).
 */
export const chooseZones = (
  available: readonly string[],
  { availabilityZoneUsageLimit = 3, availabilityZoneSelection }: Choice,
  shuffle: (zones: string[]) => string[],
): string[] => {
  const sorted = [...available].sort();
  const ordered = availabilityZoneSelection === 'Random' ? shuffle(sorted) : sorted;
  return ordered.slice(0, availabilityZoneUsageLimit).sort();
};

/** The prefix length of every IPv6 subnet. */
const SUBNET6_PREFIX = 64;

/**
 * The /64 of a zone's preferred or other subnet, if the VPC has IPv6. As in upstream, the preferred subnets start with
 * the third block, and the others follow.
 */
const layOutIpv6 = ({ ipv6 }: VpcSpec, zones: number) => {
  const block = parseCidr(ipv6?.cidrBlock ?? '', 6);
  if (!block) return undefined;
  if (blocksIn(block, SUBNET6_PREFIX) < 2 * zones + 2) {
    throw new TooSmallRangeError(
      `spec.network.vpc.ipv6.cidrBlock ${ipv6?.cidrBlock} is too small for subnets in ${zones} zones: each is a /64`,
    );
  }
  return (isPreferred: boolean, index: number): string =>
    formatCidr(blockAt(block, SUBNET6_PREFIX, isPreferred ? index + 2 : zones + 2 + index));
};

/**
 * The first `count` of the equal blocks into which a block is divided; their number is rounded up to a power of two.
 */
const split = (block: Cidr, count: number): Cidr[] =>
  Array.from({ length: count }, (_, index) => blockAt(block, block.prefix + Math.ceil(Math.log2(count)), index));

/**
 * One public and one private subnet per zone, cut from the VPC's range as in upstream: n+1 blocks, of which the first
 * is divided again for the public subnets and the others are private; with PreferPublic it is the other way round. Ids
 * are the Name tags. Throws TooSmallRangeError.
 */
export const layOutSubnets = (cluster: string, vpc: VpcSpec, zones: readonly string[]): SubnetSpec[] => {
  const range = cidrOf(vpc.cidrBlock ?? '10.0.0.0/16', 4);
  const [shared, ...own] = split(range, zones.length + 1);
  const parts = shared ? split(shared, zones.length) : [];
  const smallest = parts[0]?.prefix ?? LONGEST_PREFIX;
  if (smallest > LONGEST_PREFIX) {
    throw new TooSmallRangeError(
      `spec.network.vpc.cidrBlock ${formatCidr(range)} is too small for subnets in ${zones.length} zones: ` +
        `they would be /${smallest}, EC2 allows /${LONGEST_PREFIX} at the smallest`,
    );
  }
  const preferPublic = vpc.subnetSchema === 'PreferPublic';
  const ipv6 = layOutIpv6(vpc, zones.length);
  const subnets = (isPublic: boolean, blocks: readonly Cidr[]): SubnetSpec[] =>
    zones.flatMap((zone, index) => {
      const block = blocks[index];
      const id = subnetName(cluster, isPublic, zone);
      const more = ipv6 ? { isIpv6: true, ipv6CidrBlock: ipv6(isPublic === preferPublic, index) } : {};
      return block ? [{ id, cidrBlock: formatCidr(block), ...more, availabilityZone: zone, isPublic }] : [];
    });
  return [...subnets(true, preferPublic ? own : parts), ...subnets(false, preferPublic ? parts : own)];
};
