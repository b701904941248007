import type { Tags } from '../../tags.ts';

export interface ObservedSubnet {
  id: string;
  vpcId: string;
  zone: string;
  /** Empty for an IPv6-only subnet. */
  cidrBlock: string;
  ipv6CidrBlock?: string;
  assignsIpv6?: boolean;
  hasDns64?: boolean;
  hostnameType?: string;
  mapsPublicIp: boolean;
  tags: Tags;
}

export interface DesiredSubnet {
  /** Unique in the cluster and stable: `public-us-east-1a`. */
  key: string;
  /** `id` of its entry in spec.network.subnets. */
  specId: string;
  /** The recorded AWS id of the subnet. */
  resourceId?: string;
  isPublic: boolean;
  /** Empty if the spec does not specify it, as for a user's subnet. */
  zone: string;
  /** In EC2's form, like the IPv6 block; empty for an IPv6-only subnet. */
  cidrBlock: string;
  ipv6CidrBlock?: string;
  zoneType?: string;
  /** The availability zone to which an edge zone belongs. */
  parentZone?: string;
  /** Only for pods: none of our resources are in it. */
  isSecondary?: boolean;
  hostnameType?: HostnameType;
  tags: Tags;
  routeTableTags: Tags;
}

export type SubnetAttribute = 'AssignIpv6AddressOnCreation' | 'EnableDns64';
export type HostnameType = 'ip-name' | 'resource-name';

export interface SeenSubnets {
  subnets: readonly ObservedSubnet[];
}

export interface WantedSubnets {
  subnets: readonly DesiredSubnet[];
  /**
   * The type of the subnets for the API's load balancer, unless the spec names its subnets or there is no load
   * balancer.
   */
  loadBalancerSubnets?: 'public' | 'private';
}

export type SubnetAction =
  | { type: 'CreateSubnet'; vpcId: string; zone: string; cidrBlock: string; ipv6CidrBlock?: string; tags: Tags }
  | { type: 'MapPublicIpOnLaunch'; subnetId: string }
  | { type: 'SetSubnetAttribute'; subnetId: string; attribute: SubnetAttribute }
  | { type: 'SetSubnetHostnames'; subnetId: string; hostnameType: HostnameType }
  | { type: 'DeleteSubnet'; subnetId: string };
