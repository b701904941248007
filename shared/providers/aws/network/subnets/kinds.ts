import { canonicalCidr } from '../../../../cidr.ts';
import type { SubnetSpec } from '../../../../kinds/schema/aws-network.ts';
import type { DesiredSubnet } from './model.ts';

/**
 * The purpose of a subnet. As in upstream, core infrastructure is placed neither in edge zones nor in subnets for pods.
 */

const ASSOCIATION_TAG = 'sigs.k8s.io/cluster-api-provider-aws/association';

/**
 * Whether a text has the form of EC2's subnet ids. A name with the same prefix (`subnet-zone-1-private`) belongs to a
 * subnet that is to be created.
 */
export const isSubnetId = (text: string): boolean => /^subnet-([0-9a-f]{8}|[0-9a-f]{17})$/.test(text);

type Kind = Pick<SubnetSpec, 'zoneType' | 'tags'>;

export const isEdgeZone = (zoneType: string | undefined): boolean =>
  zoneType === 'local-zone' || zoneType === 'wavelength-zone';

/** A subnet from which the CNI gives addresses to pods. */
export const isSecondarySubnet = ({ tags }: Pick<SubnetSpec, 'tags'>): boolean =>
  tags?.[ASSOCIATION_TAG] === 'secondary';

/** Whether load balancers may be placed in it, and machines that do not name their subnet. */
export const isCoreSubnet = (subnet: Kind): boolean => !isEdgeZone(subnet.zoneType) && !isSecondarySubnet(subnet);

/**
 * The name of an availability zone is that of its region plus one letter: us-east-1a. Other names belong to edge zones.
 */
export const isRegularZone = (zone: string): boolean => /^[a-z]+(-[a-z]+)+-\d+[a-z]$/.test(zone);

interface Blocks {
  cidrBlock?: string;
  ipv6CidrBlock?: string;
}

const isSameBlock = (left: string | undefined, right: string | undefined): boolean =>
  Boolean(left && right) && canonicalCidr(left ?? '') === canonicalCidr(right ?? '');

/**
 * As in upstream, two subnets of a VPC are the same if they have a block in common. Blocks in a spec may have host
 * bits, which EC2 clears.
 */
export const hasSameBlock = (left: Blocks, right: Blocks): boolean =>
  left.cidrBlock ? isSameBlock(left.cidrBlock, right.cidrBlock) : isSameBlock(left.ipv6CidrBlock, right.ipv6CidrBlock);

/** Whether a subnet has IPv6 but not IPv4. */
export const isIpv6Only = ({ cidrBlock, ipv6CidrBlock }: Pick<DesiredSubnet, 'cidrBlock' | 'ipv6CidrBlock'>): boolean =>
  cidrBlock === '' && ipv6CidrBlock !== undefined;
