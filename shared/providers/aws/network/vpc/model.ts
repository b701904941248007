import type { Tags } from '../../tags.ts';

/** A VPC with its first blocks. */

export interface ObservedVpc {
  id: string;
  cidrBlock: string;
  tags: Tags;
  /** Undefined until requested. */
  dnsHostnames?: boolean;
  dnsSupport?: boolean;
  /** The cluster's by the record, regardless of its current tags. */
  isOnRecord?: boolean;
  /** IPv4 blocks in addition to `cidrBlock`. */
  secondary?: readonly ObservedBlock[];
  ipv6?: readonly ObservedBlock[];
}

/** A block of a VPC other than its first one. */
export interface ObservedBlock {
  associationId: string;
  cidrBlock: string;
  /** The source of an IPv6 block. */
  poolId?: string;
  isAssociated: boolean;
}

/** An IPAM pool of the spec, by id or by name. */
export interface PoolRequest {
  id?: string;
  name?: string;
  netmaskLength?: number;
}

/** The sources of a new VPC's ranges. */
export interface VpcNumbers {
  cidrBlock?: string;
  ipamPool?: { id: string; netmaskLength: number };
  ipv6?: { cidrBlock: string; poolId: string } | { ipamPool: { id: string; netmaskLength: number } } | 'amazon';
}

export interface SeenVpcs {
  vpcs: readonly ObservedVpc[];
}

export interface WantedVpc {
  vpc: { recordedId?: string; cidrBlock: string; tags: Tags };
  ipamPool?: PoolRequest;
  ipv6?: { cidrBlock?: string; poolId?: string; ipamPool?: PoolRequest };
}

export type VpcAttribute = 'EnableDnsHostnames' | 'EnableDnsSupport';

export type VpcAction =
  | ({ type: 'CreateVpc'; intent: string; tags: Tags } & VpcNumbers)
  | { type: 'SetVpcAttribute'; vpcId: string; attribute: VpcAttribute }
  | { type: 'DeleteVpc'; vpcId: string };
