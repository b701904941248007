/** Limits of an account in one region. */
export interface Ec2Quotas {
  vpcs: number;
  subnetsPerVpc: number;
  internetGateways: number;
  egressOnlyGateways: number;
  gatewayEndpoints: number;
  /** IPv4 blocks, including the first one; IPv6 blocks are counted separately. */
  blocksPerVpc: number;
  addresses: number;
  natGatewaysPerZone: number;
  securityGroups: number;
  /** Inbound and outbound rules are counted separately. */
  rulesPerSecurityGroup: number;
  routeTablesPerVpc: number;
  routesPerTable: number;
  /** The total for all running On-Demand instances. */
  vcpus: number;
  spotInstances: number;
}

/** The quotas of a new account. Sources: the quota pages of Amazon VPC and Amazon EC2. */
const NEW_ACCOUNT_QUOTAS: Readonly<Ec2Quotas> = {
  vpcs: 5,
  subnetsPerVpc: 200,
  internetGateways: 5,
  egressOnlyGateways: 5,
  gatewayEndpoints: 20,
  blocksPerVpc: 5,
  addresses: 5,
  natGatewaysPerZone: 5,
  securityGroups: 2500,
  rulesPerSecurityGroup: 60,
  routeTablesPerVpc: 200,
  routesPerTable: 500,
  vcpus: 5,
  spotInstances: 5,
};

/** The quotas of an account with many clusters, after they were raised. */
export const RAISED_QUOTAS: Readonly<Ec2Quotas> = {
  ...NEW_ACCOUNT_QUOTAS,
  vpcs: 500,
  internetGateways: 500,
  egressOnlyGateways: 500,
  gatewayEndpoints: 500,
  addresses: 1500,
  natGatewaysPerZone: 500,
  vcpus: 100_000,
  spotInstances: 100_000,
};

/** A zone, a type or both without capacity; an omitted part matches all. */
export interface CapacityGap {
  zone?: string;
  instanceType?: string;
}

/** A pool of Amazon VPC IP Address Manager with one range. */
export interface IpamPool {
  /** `ipam-pool-…` */
  id: string;
  /** Its Name tag. */
  name?: string;
  family: 'ipv4' | 'ipv6';
  cidr: string;
  defaultNetmaskLength?: number;
  /** The account that owns and shares it, if it is another account. */
  sharedBy?: string;
}

/** A user's own public IPv4 addresses in AWS. */
export interface PublicIpv4Pool {
  /** `ipv4pool-ec2-…` */
  id: string;
  cidr: string;
}

/** A user's own IPv6 addresses in AWS. */
export interface Ipv6Pool {
  /** `ipv6pool-ec2-…` */
  id: string;
  cidr: string;
}

/** A publisher's changes of images; `name` is a pattern as in filters. */
export interface PublishedImages {
  /** RFC 3339; by default, images are deprecated two years after their creation, as all public images are. */
  deprecatedAt?: string;
  /** Whether the images are deregistered, or the account may no longer use them. */
  isWithdrawn?: boolean;
  name: string;
}

/** How the simulated EC2 behaves. Durations are milliseconds on the account's clock. The object may be changed at any time. */
export interface Ec2Settings {
  /** The time from RunInstances or StartInstances to `running`. */
  instanceStartMilliseconds: number;
  /** The time from TerminateInstances or StopInstances to `terminated` or `stopped`. */
  instanceStopMilliseconds: number;
  /** The time from CreateNatGateway to `available`, and from DeleteNatGateway to `deleted`. */
  natMilliseconds: number;
  /** The time for which a terminated instance or a deleted NAT gateway is still described. */
  remembranceMilliseconds: number;
  /** The longest time for which a describe call may not see new resources; 0 disables eventual consistency. */
  consistencyMilliseconds: number;
  quotas: Ec2Quotas;
  capacityGaps: CapacityGap[];
  /** The last matching entry is used. */
  publishedImages: PublishedImages[];
  /** The time from CopyImage to `available`. */
  imageCopyMilliseconds: number;
  /** Resources that no call can create here. */
  placementGroups: { name: string; partitions?: number }[];
  capacityReservations: { id: string; instanceType: string; available: number }[];
  /** USD per hour for every type: a spot request with a lower price is refused. */
  spotPrice: number;
  /** Every name is that of an existing instance profile, except for these. */
  missingInstanceProfiles: string[];
  /** Whether Auto Scaling's service-linked role does not exist yet; the first group creates it. */
  lacksAutoScalingRole: boolean;
  /** Regions that the account has not enabled. */
  disabledRegions: string[];
  ipamPools: IpamPool[];
  publicIpv4Pools: PublicIpv4Pool[];
  /** The ARN of the customer's key for encrypted volumes that specify none; undefined for AWS's own key. */
  defaultVolumeKey?: string;
  ipv6Pools: Ipv6Pool[];
}

export const defaultEc2Settings = (): Ec2Settings => ({
  instanceStartMilliseconds: 300,
  instanceStopMilliseconds: 300,
  natMilliseconds: 500,
  remembranceMilliseconds: 3_600_000,
  consistencyMilliseconds: 0,
  quotas: { ...RAISED_QUOTAS },
  capacityGaps: [],
  publishedImages: [],
  imageCopyMilliseconds: 500,
  placementGroups: [],
  capacityReservations: [],
  spotPrice: 0,
  missingInstanceProfiles: [],
  lacksAutoScalingRole: false,
  disabledRegions: [],
  ipamPools: [],
  publicIpv4Pools: [],
  ipv6Pools: [],
});
