import type { SubnetSpec, VpcSpec } from '../../../../kinds/schema/aws-network.ts';
import { formatRange, parseRange, type Range, splitRange } from '../../plan/network/cidr.ts';
import { formatBlock6, parseBlock6, subnetAt, subnetsIn } from '../../plan/network/cidr6.ts';

/** EC2 makes no subnet smaller than this. */
const LONGEST_PREFIX = 28;

/** The range leaves no room for the subnets: a person has to choose a larger one or fewer zones. */
export class TooSmallRangeError extends Error {
  override readonly name = 'TooSmallRange';
}

type Choice = Pick<VpcSpec, 'availabilityZoneUsageLimit' | 'availabilityZoneSelection'>;

/**
 * The zones that a cluster spreads over: the first of the sorted ones, or with `Random` any, in the order that `shuffle`
 * gives them, and never more than the limit (3 when unset).
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

/**
 * The /64 of a zone's preferred or other subnet, where the VPC has IPv6. Upstream counts the blocks on: the preferred
 * subnets begin with the third, the others follow.
 */
const layOutIpv6 = ({ ipv6 }: VpcSpec, zones: number) => {
  const block = parseBlock6(ipv6?.cidrBlock ?? '');
  if (!block) return undefined;
  if (subnetsIn(block) < 2 * zones + 2) {
    throw new TooSmallRangeError(
      `spec.network.vpc.ipv6.cidrBlock ${ipv6?.cidrBlock} is too small for subnets in ${zones} zones: each is a /64`,
    );
  }
  return (isPreferred: boolean, index: number): string =>
    formatBlock6(subnetAt(block, isPreferred ? index + 2 : zones + 2 + index));
};

/**
 * One public and one private subnet a zone, cut from the VPC's range as upstream cuts it: n+1 blocks, the first of them
 * split again for the public subnets, the others private; with PreferPublic the other way round. Ids are the Name tags
 * until the subnets exist. Throws TooSmallRangeError.
 */
export const layOutSubnets = (cluster: string, vpc: VpcSpec, zones: readonly string[]): SubnetSpec[] => {
  const range = parseRange(vpc.cidrBlock ?? '10.0.0.0/16');
  const [shared, ...own] = splitRange(range, zones.length + 1);
  const parts = shared ? splitRange(shared, zones.length) : [];
  const smallest = parts[0]?.prefix ?? LONGEST_PREFIX;
  if (smallest > LONGEST_PREFIX) {
    throw new TooSmallRangeError(
      `spec.network.vpc.cidrBlock ${formatRange(range)} is too small for subnets in ${zones.length} zones: ` +
        `they would be /${smallest}, EC2 allows /${LONGEST_PREFIX} at the smallest`,
    );
  }
  const preferPublic = vpc.subnetSchema === 'PreferPublic';
  const ipv6 = layOutIpv6(vpc, zones.length);
  const subnets = (isPublic: boolean, blocks: readonly Range[]): SubnetSpec[] =>
    zones.flatMap((zone, index) => {
      const block = blocks[index];
      const id = `${cluster}-subnet-${isPublic ? 'public' : 'private'}-${zone}`;
      const more = ipv6 ? { isIpv6: true, ipv6CidrBlock: ipv6(isPublic === preferPublic, index) } : {};
      return block ? [{ id, cidrBlock: formatRange(block), ...more, availabilityZone: zone, isPublic }] : [];
    });
  return [...subnets(true, preferPublic ? own : parts), ...subnets(false, preferPublic ? parts : own)];
};
