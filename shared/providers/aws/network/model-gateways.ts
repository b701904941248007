import type { Tags } from '../tags.ts';

/** Parts of a network that only some clusters have: gateways of other kinds, endpoints, further blocks and pools. */

/** An egress-only internet gateway or a carrier gateway. */
export interface ObservedGateway {
  id: string;
  vpcId: string;
  tags: Tags;
}

export interface ObservedEndpoint {
  id: string;
  vpcId: string;
  serviceName: string;
  routeTableIds: readonly string[];
  tags: Tags;
}

/** A block of a VPC besides its first one. */
export interface ObservedBlock {
  associationId: string;
  cidrBlock: string;
  /** Of an IPv6 block: where it came from. */
  poolId?: string;
  isAssociated: boolean;
}

export interface ObservedIpamPool {
  id: string;
  name?: string;
}

/** Undefined is what nobody asked for. */
export interface ObservedExtras {
  egressOnlyGateways?: readonly ObservedGateway[];
  carrierGateways?: readonly ObservedGateway[];
  endpoints?: readonly ObservedEndpoint[];
  ipamPools?: readonly ObservedIpamPool[];
  /** Free addresses in the pool of spec.network.vpc.elasticIpPool; `none` where there is no such pool. */
  publicPool?: { free: number } | 'none';
}

/** An IPAM pool of the spec, by id or by name. */
export interface PoolRequest {
  id?: string;
  name?: string;
  netmaskLength?: number;
}

/** What a new VPC is numbered by. */
export interface VpcNumbers {
  cidrBlock?: string;
  ipamPool?: { id: string; netmaskLength: number };
  ipv6?: { cidrBlock: string; poolId: string } | { ipamPool: { id: string; netmaskLength: number } } | 'amazon';
}

/** What a cluster wants besides what every one has. */
export interface DesiredExtras {
  secondaryBlocks: readonly string[];
  ipamPool?: PoolRequest;
  ipv6?: { cidrBlock?: string; poolId?: string; ipamPool?: PoolRequest };
  egressOnlyGatewayTags?: Tags;
  carrierGatewayTags?: Tags;
  endpoint?: { serviceName: string; tags: Tags };
  elasticIpPool?: { id: string; fallsBack: boolean };
  /** The VPC's default security group is to have no rules. */
  emptiesDefaultGroup: boolean;
}

/** Calls to EC2 for these parts. */
export type ExtraAction =
  | { type: 'AssociateVpcBlock'; vpcId: string; cidrBlock: string }
  | { type: 'DisassociateVpcBlock'; vpcId: string; associationId: string; cidrBlock: string }
  | { type: 'SetSubnetAttribute'; subnetId: string; attribute: SubnetAttribute }
  | { type: 'SetSubnetHostnames'; subnetId: string; hostnameType: HostnameType }
  | { type: 'CreateEgressOnlyInternetGateway'; intent: string; vpcId: string; tags: Tags }
  | { type: 'DeleteEgressOnlyInternetGateway'; gatewayId: string }
  | { type: 'CreateCarrierGateway'; intent: string; vpcId: string; tags: Tags }
  | { type: 'DeleteCarrierGateway'; gatewayId: string }
  | {
      type: 'CreateVpcEndpoint';
      intent: string;
      vpcId: string;
      serviceName: string;
      routeTableIds: readonly string[];
      tags: Tags;
    }
  | { type: 'ModifyVpcEndpoint'; endpointId: string; add: readonly string[]; remove: readonly string[] }
  | { type: 'DeleteVpcEndpoint'; endpointId: string }
  | { type: 'SetIpv6Route'; routeTableId: string; destination: string; target: string; replaces: boolean }
  | { type: 'EmptyDefaultSecurityGroup'; groupId: string };

export type SubnetAttribute = 'AssignIpv6AddressOnCreation' | 'EnableDns64';
export type HostnameType = 'ip-name' | 'resource-name';

export type ExtraKind = 'egressOnlyGateway' | 'carrierGateway' | 'endpoint';

export type ExtraCondition =
  | 'SecondaryCidrsReady'
  | 'EgressOnlyInternetGatewayReady'
  | 'CarrierGatewayReady'
  | 'VpcEndpointsReady';
