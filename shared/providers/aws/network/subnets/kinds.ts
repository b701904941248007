import { canonicalCidr } from '../../../../cidr.ts';
import type { SubnetSpec } from '../../../../kinds/schema/aws-network.ts';
import type { DesiredSubnet } from './model.ts';

/** The purpose of a subnet. As upstream: core infrastructure is neither in edge zones nor in subnets for pods. */

const ASSOCIATION_TAG = 'sigs.k8s.io/cluster-api-provider-aws/association';

/**
 * Whether a text has the form of EC2's subnet ids. A name with the same prefix (`subnet-zone-1-private`) is that of a
 * subnet to be created.
 */
export const isSubnetId = (text: string): boolean => /^subnet-([0-9a-f]{8}|[0-9a-f]{17})$/.test(text);

type Kind = Pick<SubnetSpec, 'zoneType' | 'tags'>;

export const isEdgeZone = (zoneType: string | undefined): boolean =>
  zoneType === 'local-zone' || zoneType === 'wavelength-zone';

/** A subnet that the CNI gives pods addresses of. */
export const isSecondarySubnet = ({ tags }: Pick<SubnetSpec, 'tags'>): boolean =>
  tags?.[ASSOCIATION_TAG] === 'secondary';

/** Whether load balancers and, unless they name the subnet, machines may be placed in it. */
export const isCoreSubnet = (subnet: Kind): boolean => !isEdgeZone(subnet.zoneType) && !isSecondarySubnet(subnet);

/** Names of availability zones end like their region's with one letter more: us-east-1a. Others are edge zones'. */
export const isRegularZone = (zone: string): boolean => /^[a-z]+(-[a-z]+)+-\d+[a-z]$/.test(zone);

interface Blocks {
  cidrBlock?: string;
  ipv6CidrBlock?: string;
}

const isSameBlock = (left: string | undefined, right: string | undefined): boolean =>
  Boolean(left && right) && canonicalCidr(left ?? '') === canonicalCidr(right ?? '');

/**
 * Upstream's sign that two subnets of one VPC are the same: one of their blocks is. A spec may have blocks with host
 * bits, which EC2 clears.
 */
export const hasSameBlock = (left: Blocks, right: Blocks): boolean =>
  left.cidrBlock ? isSameBlock(left.cidrBlock, right.cidrBlock) : isSameBlock(left.ipv6CidrBlock, right.ipv6CidrBlock);

/** IPv6 without IPv4. */
export const isIpv6Only = ({ cidrBlock, ipv6CidrBlock }: Pick<DesiredSubnet, 'cidrBlock' | 'ipv6CidrBlock'>): boolean =>
  cidrBlock === '' && ipv6CidrBlock !== undefined;
