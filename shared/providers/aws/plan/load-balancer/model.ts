import type { Tags } from '../../tags.ts';
import type { AddressPool } from '../addresses/plan.ts';
import type { BalancerRole } from './roles.ts';

/** What ELBv2 shows of a cluster's API load balancer, and what can be done about it. Nothing here knows the SDK. */

type Attributes = Readonly<Record<string, string>>;

/** What a lookup of a load balancer says. */
export interface FoundLoadBalancer {
  arn: string;
  name: string;
  vpcId: string;
  /** Undefined for a moment after the creation. */
  dnsName?: string;
  state: 'active' | 'provisioning' | 'active_impaired' | 'failed';
  /** Why it is in that state, where AWS says so. */
  stateReason?: string;
  scheme: string;
  type: string;
  ipAddressType: string;
  zones: readonly { zone: string; subnetId: string }[];
  securityGroupIds: readonly string[];
}

export interface ObservedLoadBalancer extends FoundLoadBalancer {
  tags: Tags;
  attributes: Attributes;
}

export interface FoundTargetGroup {
  arn: string;
  name: string;
  port: number;
  protocol: string;
  ipType: string;
  healthCheck: HealthCheck;
}

export interface ObservedTargetGroup extends FoundTargetGroup {
  tags: Tags;
  attributes: Attributes;
  /** Instances that are registered. Undefined until it was asked for. */
  targets?: readonly string[];
}

export interface ObservedListener {
  arn: string;
  port: number;
  targetGroupArn?: string;
}

export interface ObservedLoadBalancing {
  /** The one of the desired name. */
  loadBalancer?: ObservedLoadBalancer;
  /** Those that its listeners forward to, and those of the names that were asked for. */
  targetGroups: readonly ObservedTargetGroup[];
  listeners: readonly ObservedListener[];
}

export interface HealthCheck {
  protocol: string;
  port: string;
  /** For HTTP and HTTPS. */
  path?: string;
  intervalSeconds: number;
  timeoutSeconds: number;
  thresholdCount: number;
  unhealthyThresholdCount: number;
}

export interface DesiredTargetGroup {
  /** In order of preference. */
  names: readonly string[];
  /** How all its names begin, those that upstream gave as well. */
  prefix: string;
  port: number;
  ipType: 'ipv4' | 'ipv6';
  healthCheck: HealthCheck;
  attributes: Attributes;
}

export interface DesiredLoadBalancing {
  role: BalancerRole;
  /** A classic load balancer stands for its only target group as well (shared/providers/aws/api/classic-elb.ts). */
  type: 'network' | 'classic';
  name: string;
  /** The user gave the name: a load balancer of his own that bears it is used as it is. */
  isNamed: boolean;
  scheme: 'internet-facing' | 'internal';
  ipAddressType: 'ipv4' | 'dualstack';
  vpcId: string;
  subnetIds: readonly string[];
  securityGroupIds: readonly string[];
  /** Where its public addresses come from, one for each subnet; Amazon's own where it is left out. */
  addressPool?: AddressPool;
  /** Of the load balancer, its target groups and its listeners. */
  tags: Tags;
  /** Keys of tags that were asked for once and are not any more. */
  staleTags: readonly string[];
  attributes: Attributes;
  /** The API's comes first. */
  listeners: readonly { port: number; targetGroup: DesiredTargetGroup }[];
  /** Names of target groups that the status speaks of; those that nobody asks for go. */
  recordedGroups: readonly string[];
  /** The endpoint, where it is the name of a load balancer that existed once. */
  recordedHost?: string;
  /** The endpoint, where it is a name of the user's, who leads it to the load balancer. */
  ownEndpoint?: { host: string; port?: number };
}

/** One call to ELBv2. */
export type LoadBalancerAction =
  | { type: 'CreateLoadBalancer'; desired: DesiredLoadBalancing }
  | { type: 'SetLoadBalancerAttributes'; arn: string; attributes: Attributes }
  | { type: 'SetIpAddressType'; arn: string; ipAddressType: DesiredLoadBalancing['ipAddressType'] }
  | { type: 'SetSubnets'; arn: string; subnetIds: readonly string[] }
  | { type: 'SetSecurityGroups'; arn: string; groupIds: readonly string[] }
  | { type: 'AddTags'; arns: readonly string[]; tags: Tags }
  | { type: 'RemoveTags'; arns: readonly string[]; keys: readonly string[] }
  | { type: 'CreateTargetGroup'; name: string; vpcId: string; group: DesiredTargetGroup; tags: Tags }
  | { type: 'SetTargetGroupAttributes'; arn: string; name: string; attributes: Attributes }
  | { type: 'SetHealthCheck'; arn: string; name: string; healthCheck: HealthCheck }
  | { type: 'CreateListener'; loadBalancerArn: string; port: number; targetGroupArn: string; tags: Tags }
  | { type: 'SetListener'; arn: string; port: number; targetGroupArn: string }
  | { type: 'DeleteListener'; arn: string; port: number }
  | { type: 'DeleteLoadBalancer'; arn: string; name: string }
  | { type: 'DeleteTargetGroup'; arn: string; name: string };
