import type { ClusterName, Tags } from '../../tags.ts';
import type {
  DesiredExtras,
  ExtraAction,
  ExtraCondition,
  ExtraKind,
  HostnameType,
  ObservedBlock,
  ObservedExtras,
  VpcNumbers,
} from './model-gateways.ts';
import type { SecurityGroupRole } from './roles.ts';

/** What EC2 shows of a cluster's network, and what can be done about it. Ids are AWS ids; nothing here knows the SDK. */

export interface ObservedVpc {
  id: string;
  cidrBlock: string;
  tags: Tags;
  /** Undefined until it was asked for. */
  dnsHostnames?: boolean;
  dnsSupport?: boolean;
  /** The cluster's by what is on record, whatever its tags say now. */
  isOnRecord?: boolean;
  /** IPv4 blocks besides `cidrBlock`. */
  secondary?: readonly ObservedBlock[];
  ipv6?: readonly ObservedBlock[];
}

export interface ObservedSubnet {
  id: string;
  vpcId: string;
  zone: string;
  /** Empty in a subnet of IPv6 only. */
  cidrBlock: string;
  ipv6CidrBlock?: string;
  assignsIpv6?: boolean;
  hasDns64?: boolean;
  hostnameType?: string;
  mapsPublicIp: boolean;
  tags: Tags;
}

export interface ObservedInternetGateway {
  id: string;
  /** Undefined while it is attached to none. */
  vpcId?: string;
  tags: Tags;
}

export interface ObservedRoute {
  destination: string;
  /** Id of the gateway of whatever kind. */
  target?: string;
  isBlackhole: boolean;
}

export interface ObservedRouteTable {
  id: string;
  vpcId: string;
  /** The VPC's own: it comes and goes with it. */
  isMain: boolean;
  tags: Tags;
  routes: readonly ObservedRoute[];
  associations: readonly { id: string; subnetId: string }[];
}

export interface ObservedNatGateway {
  id: string;
  vpcId: string;
  subnetId: string;
  state: 'pending' | 'available' | 'deleting' | 'deleted' | 'failed';
  allocationId?: string;
  publicIp?: string;
  /** `<code>: <message>` of a failed one. */
  failure?: string;
  tags: Tags;
}

export interface ObservedAddress {
  allocationId: string;
  publicIp: string;
  isAssociated: boolean;
  tags: Tags;
}

/** One rule for one source. Ports are undefined for protocols that have none. */
export interface IngressPermission {
  protocol: string;
  fromPort?: number;
  toPort?: number;
  /** An IPv4 or IPv6 range, or the id of a security group. */
  source: string;
  description?: string;
}

export interface ObservedSecurityGroup {
  id: string;
  vpcId: string;
  name: string;
  tags: Tags;
  ingress: readonly IngressPermission[];
  /** Groups that its outgoing rules name: they cannot go before it. */
  egressGroupIds: readonly string[];
  /** Whether it lets anything out. */
  hasEgress?: boolean;
}

export interface ObservedNetworkInterface {
  id: string;
  vpcId: string;
  subnetId: string;
  description: string;
  groupIds: readonly string[];
  /** The instance that it is attached to. */
  instanceId?: string;
}

export interface ObservedBastion {
  id: string;
  /** As EC2 names it: `pending`, `running`, … */
  state: string;
  type?: string;
  imageId?: string;
  subnetId?: string;
  zone?: string;
  keyName?: string;
  privateIp?: string;
  publicIp?: string;
  ipv6Address?: string;
  groupIds: readonly string[];
  tags: Tags;
}

/**
 * One snapshot. Everything is of the VPCs in `vpcs`, but for gateways that are attached to none, addresses, and what the
 * spec names by an id that none of the VPCs has.
 */
export interface ObservedNetwork extends ObservedExtras {
  vpcs: readonly ObservedVpc[];
  subnets: readonly ObservedSubnet[];
  internetGateways: readonly ObservedInternetGateway[];
  routeTables: readonly ObservedRouteTable[];
  natGateways: readonly ObservedNatGateway[];
  addresses: readonly ObservedAddress[];
  securityGroups: readonly ObservedSecurityGroup[];
  /** Read for deletion only. */
  networkInterfaces: readonly ObservedNetworkInterface[];
  /** Read for deletion only. */
  bastions?: readonly ObservedBastion[];
}

export interface DesiredSubnet {
  /** Unique in the cluster and stable: `public-us-east-1a`. */
  key: string;
  /** `id` of the entry in spec.network.subnets that it stands for. */
  specId: string;
  /** The AWS id that is on record for it. */
  resourceId?: string;
  isPublic: boolean;
  /** Empty where the spec does not say, as of a subnet that the user brought. */
  zone: string;
  /** Empty in a subnet of IPv6 only. */
  cidrBlock: string;
  ipv6CidrBlock?: string;
  zoneType?: string;
  /** The availability zone that an edge zone belongs to. */
  parentZone?: string;
  /** For pods only: nothing of ours stands in it. */
  isSecondary?: boolean;
  hostnameType?: HostnameType;
  tags: Tags;
  routeTableTags: Tags;
}

export type { SecurityGroupRole };

export interface DesiredSecurityGroup {
  role: SecurityGroupRole;
  /** A group that the user brought for the role: used as it is. */
  overrideId?: string;
  name: string;
  description: string;
  tags: Tags;
  /** Rules that are not wanted are revoked, except where the cluster's own controllers write rules as well. */
  isAuthoritative: boolean;
  /** Sources may be roles; they become ids when the groups exist. */
  ingress: readonly (Omit<IngressPermission, 'source'> & { source: string | { role: SecurityGroupRole } })[];
}

export interface DesiredNetwork extends DesiredExtras {
  cluster: ClusterName;
  /** Tells the client tokens of one cluster from those of an earlier one of the same name. */
  clusterUid: string;
  vpc: { recordedId?: string; cidrBlock: string; tags: Tags };
  subnets: readonly DesiredSubnet[];
  internetGatewayTags: Tags;
  natGatewayTags: Tags;
  addressTags: Tags;
  securityGroups: readonly DesiredSecurityGroup[];
  /** Keys of spec.network.securityGroupOverrides that are no roles. */
  unknownOverrides: readonly string[];
  /** Groups that rules of the spec name. */
  ruleSources: readonly RuleSource[];
  /** Where the API's load balancer is to stand, unless the spec names its subnets or there is none. */
  loadBalancerSubnets?: 'public' | 'private';
}

/** A security group that a rule of the spec names, by id or by role. */
export interface RuleSource {
  /** `spec.network.additionalNodeIngressRules[0].sourceSecurityGroupIds[1]`. */
  field: string;
  id?: string;
  role?: string;
}

/** One call to EC2. `intent` is the key under which the intent is recorded before the call. */
export type NetworkAction =
  | ExtraAction
  | ({ type: 'CreateVpc'; intent: string; tags: Tags } & VpcNumbers)
  | { type: 'SetVpcAttribute'; vpcId: string; attribute: 'EnableDnsHostnames' | 'EnableDnsSupport' }
  | { type: 'CreateTags'; kind: ResourceKind; resourceId: string; tags: Tags }
  | { type: 'DeleteTags'; resourceId: string; keys: readonly string[] }
  | { type: 'CreateSubnet'; vpcId: string; zone: string; cidrBlock: string; ipv6CidrBlock?: string; tags: Tags }
  | { type: 'MapPublicIpOnLaunch'; subnetId: string }
  | { type: 'CreateInternetGateway'; intent: string; tags: Tags }
  | { type: 'AttachInternetGateway'; internetGatewayId: string; vpcId: string }
  | { type: 'CreateRouteTable'; intent: string; vpcId: string; tags: Tags }
  | { type: 'AssociateRouteTable'; routeTableId: string; subnetId: string }
  | { type: 'SetDefaultRoute'; routeTableId: string; target: string; replaces: boolean }
  | { type: 'CreateSecurityGroup'; vpcId: string; name: string; description: string; tags: Tags }
  | { type: 'AuthorizeIngress'; groupId: string; permissions: readonly IngressPermission[] }
  | { type: 'RevokeIngress'; groupId: string; permissions: readonly IngressPermission[] }
  | { type: 'RevokeEgressToGroups'; groupId: string; groupIds: readonly string[] }
  | { type: 'AllocateAddress'; intent: string; pool?: string; tags: Tags }
  | { type: 'CreateNatGateway'; subnetId: string; allocationId: string; clientToken: string; tags: Tags }
  | { type: 'TerminateBastion'; instanceId: string }
  | { type: 'DeleteVpc'; vpcId: string }
  | { type: 'DeleteSubnet'; subnetId: string }
  | { type: 'DetachInternetGateway'; internetGatewayId: string; vpcId: string }
  | { type: 'DeleteInternetGateway'; internetGatewayId: string }
  | { type: 'DisassociateRouteTable'; associationId: string }
  | { type: 'DeleteRouteTable'; routeTableId: string }
  | { type: 'DeleteSecurityGroup'; groupId: string }
  | { type: 'DeleteNatGateway'; natGatewayId: string }
  | { type: 'ReleaseAddress'; allocationId: string };

export type ResourceKind =
  | 'vpc'
  | 'subnet'
  | 'internetGateway'
  | 'routeTable'
  | 'securityGroup'
  | 'natGateway'
  | ExtraKind;

/** What is to be done now. Nothing to do and nothing to wait for: the goal is reached. */
export interface NetworkPlan {
  actions: readonly NetworkAction[];
  /** What was asked for a moment ago and is not visible yet. */
  waiting: readonly string[];
  /** What a person has to change before more can be done. */
  problem?: NetworkProblem;
}

/** The conditions of an AWSCluster that speak of its network. */
export type NetworkCondition =
  | ExtraCondition
  | 'VpcReady'
  | 'SubnetsReady'
  | 'InternetGatewayReady'
  | 'RouteTablesReady'
  | 'ClusterSecurityGroupsReady'
  | 'NatGatewaysReady';

export interface NetworkProblem {
  condition: NetworkCondition;
  message: string;
}
