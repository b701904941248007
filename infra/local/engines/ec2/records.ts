/**
 * The stored data of each resource in the simulated EC2. Everything that depends on the clock is computed, not stored.
 */

import type * as sdk from '@aws-sdk/client-ec2';
import type {
  HostnameType,
  InstanceMetadataOptionsResponse,
  _InstanceType as InstanceType,
  NatGatewayState,
  Placement,
  PrivateDnsNameOptionsResponse,
  VolumeType,
} from '@aws-sdk/client-ec2';
import type { Cidr } from '../../../../shared/cidr.ts';
import type { Resource } from './table.ts';
import type { Timeline } from './timeline.ts';

/** A scheduled event of an instance. */
export interface Maintenance {
  readonly id: string;
  readonly code: sdk.EventCode;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly eventArn: string;
}

/** An additional block of a VPC or subnet. */
export interface Association<Block> {
  readonly id: string;
  readonly block: Block;
  /** The pool from which it was allocated: `Amazon`, `IPAM Managed`, or the id of a BYOIP pool. */
  readonly pool?: string;
  /** The IPAM pool to which it is returned. */
  readonly ipamPoolId?: string;
}

/** The account that shares it with this one through AWS Resource Access Manager; undefined for the account's own. */
interface Shareable {
  sharedBy?: string;
}

export interface DhcpOptions extends Resource {
  readonly configurations: readonly { readonly name: string; readonly values: readonly string[] }[];
}

export interface Vpc extends Resource, Shareable {
  readonly cidr: Cidr;
  readonly cidrAssociationId: string;
  readonly ipamPoolId?: string;
  /** The IPv4 blocks in addition to `cidr`. */
  secondary: readonly Association<Cidr>[];
  ipv6: readonly Association<Cidr>[];
  readonly isDefault: boolean;
  dnsSupport: boolean;
  dnsHostnames: boolean;
  /** Undefined if none were associated. */
  dhcpOptionsId?: string;
}

export interface Subnet extends Resource, Shareable {
  readonly vpcId: string;
  /** Undefined in an IPv6-only subnet. */
  readonly cidr: Cidr | undefined;
  readonly ipv6: Association<Cidr> | undefined;
  readonly zone: string;
  readonly isDefault: boolean;
  mapPublicIp: boolean;
  assignIpv6: boolean;
  dns64: boolean;
  hostnameType: HostnameType;
  resourceNameA: boolean;
  resourceNameAAAA: boolean;
  /** The offset of the last assigned address: EC2 does not reuse a released address immediately. */
  lastOffset: number;
}

export interface InternetGateway extends Resource {
  vpcId: string | undefined;
}

export interface EgressOnlyGateway extends Resource {
  readonly vpcId: string;
  readonly clientToken: string | undefined;
}

export interface CarrierGateway extends Resource {
  readonly vpcId: string;
  readonly clientToken: string | undefined;
}

/** A gateway endpoint. */
export interface VpcEndpoint extends Resource {
  readonly vpcId: string;
  readonly serviceName: string;
  readonly prefixListId: string;
  readonly clientToken: string | undefined;
  routeTableIds: readonly string[];
}

export interface Address extends Resource {
  readonly publicIp: string;
  /** The user's own pool to which it belongs; otherwise it is Amazon's. */
  readonly poolId?: string;
  readonly borderGroup?: string;
  /** The interface with which a call associated it; the address of a NAT gateway is recorded there. */
  binding?: { readonly associationId: string; readonly interfaceId: string };
}

export interface NatGateway extends Resource {
  readonly vpcId: string;
  readonly subnetId: string;
  readonly allocationId: string | undefined;
  readonly associationId: string;
  readonly interfaceId: string | undefined;
  readonly clientToken: string | undefined;
  readonly failure: { readonly code: string; readonly message: string } | undefined;
  timeline: Timeline<NatGatewayState>;
}

export type RouteTarget =
  | { readonly kind: 'local' }
  | {
      readonly kind: 'gateway' | 'nat' | 'egress' | 'carrier' | 'endpoint' | 'instance' | 'interface';
      readonly id: string;
    };

export interface Route {
  /** An IPv4 or IPv6 block, or the id of a prefix list. */
  readonly destination: string;
  target: RouteTarget;
}

export interface RouteTable extends Resource {
  readonly vpcId: string;
  readonly clientToken: string | undefined;
  /** An association without a subnet makes this the VPC's main table. */
  associations: { readonly id: string; readonly subnetId: string | undefined }[];
  routes: Route[];
}

export type RuleSource =
  | { readonly kind: 'ipv4' | 'ipv6' | 'prefixList'; readonly value: string }
  | { readonly kind: 'group'; readonly value: string };

/** One protocol, port range and source: AuthorizeSecurityGroupIngress creates one for each range of a permission. */
export interface SecurityGroupRule extends Resource {
  readonly groupId: string;
  readonly isEgress: boolean;
  /** `tcp`, `udp`, `icmp`, `icmpv6`, a protocol number, or `-1` for all. */
  readonly protocol: string;
  /** -1 if the protocol has no ports, or for all ports. */
  readonly fromPort: number;
  readonly toPort: number;
  readonly source: RuleSource;
  readonly description: string | undefined;
}

export interface SecurityGroup extends Resource {
  readonly vpcId: string;
  readonly name: string;
  readonly description: string;
}

export interface NetworkInterface extends Resource {
  readonly vpcId: string;
  readonly subnetId: string;
  readonly zone: string;
  readonly description: string;
  readonly interfaceType: 'interface' | 'nat_gateway' | 'network_load_balancer';
  readonly privateIp: string;
  readonly ipv6: string | undefined;
  readonly isPrimaryIpv6: boolean;
  readonly macAddress: string;
  publicIp: string | undefined;
  readonly instanceId: string | undefined;
  readonly attachmentId: string;
  groupIds: string[];
  /** From this time on, in milliseconds since the epoch, the interface no longer exists and its address is free. */
  releasedAt: number | undefined;
}

export interface Volume extends Resource {
  readonly zone: string;
  readonly device: string;
  /** Undefined for an unattached volume. */
  readonly instanceId: string | undefined;
  readonly sizeGib: number;
  readonly volumeType: VolumeType;
  readonly encrypted: boolean;
  readonly iops: number | undefined;
  readonly throughput: number | undefined;
  readonly kmsKeyId: string | undefined;
  readonly snapshotId: string | undefined;
  readonly deleteOnTermination: boolean;
  releasedAt: number | undefined;
}

export type InstanceLife = 'pending' | 'running' | 'stopping' | 'stopped' | 'shutting-down' | 'terminated';

export interface Instance extends Resource {
  readonly reservationId: string;
  readonly launchIndex: number;
  readonly imageId: string;
  readonly architecture: 'x86_64' | 'arm64';
  readonly instanceType: InstanceType;
  readonly vcpus: number;
  readonly zone: string;
  readonly vpcId: string;
  readonly subnetId: string;
  readonly interfaceId: string;
  /** The interfaces that were attached later. */
  furtherInterfaceIds?: readonly string[];
  readonly keyName: string | undefined;
  readonly clientToken: string | undefined;
  readonly profile: { readonly arn: string; readonly id: string } | undefined;
  metadataOptions: InstanceMetadataOptionsResponse;
  hostName: PrivateDnsNameOptionsResponse;
  readonly placement: Placement;
  readonly rootDevice: string;
  readonly isSpot: boolean;
  readonly ebsOptimized: boolean;
  /** Base64, unchanged. */
  userData: string | undefined;
  terminationProtected: boolean;
  sourceDestCheck: boolean;
  /** The reason why it left `running`, with AWS's message. */
  reason: { readonly code: string; readonly message: string } | undefined;
  /** The time when EC2 recommended its replacement, in milliseconds since the epoch; undefined if it did not. */
  rebalanceAt?: number;
  /** The event that EC2 has scheduled for it. */
  maintenance: Maintenance | undefined;
  timeline: Timeline<InstanceLife>;
}

/** A Dedicated Host, for instances of one type. */
export interface DedicatedHost extends Resource {
  readonly instanceType: string;
  readonly zone: string;
  readonly clientToken: string | undefined;
  isReleased: boolean;
}

/** One version of a launch template. It never changes. */
export interface LaunchTemplateVersion {
  readonly number: number;
  readonly description: string | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly createdBy: string;
  readonly data: sdk.RequestLaunchTemplateData;
}

export interface LaunchTemplate extends Resource {
  readonly name: string;
  readonly createdBy: string;
  defaultVersion: number;
  /** The number of versions ever created: numbers are not used again. */
  versionsMade: number;
  readonly versions: Map<number, LaunchTemplateVersion>;
}

export interface KeyPair extends Resource {
  readonly name: string;
  readonly fingerprint: string;
  readonly publicKey: string;
}

/** The account's own image. */
export interface OwnImage extends Resource {
  readonly name: string;
  readonly description: string;
  readonly architecture: 'x86_64' | 'arm64';
  readonly timeline: Timeline<'pending' | 'available'>;
  readonly sourceId: string;
  readonly sourceRegion: string;
  readonly snapshotId: string;
  readonly rootSizeGib: number;
  readonly isEncrypted: boolean;
  readonly kmsKeyId: string | undefined;
  /** Milliseconds since the epoch. */
  deprecatedAt: number | undefined;
  isDisabled: boolean;
}
