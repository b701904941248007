import type { Tags } from '../../aws/tags.ts';

/** What ELBv2 shows of a cluster's API load balancer, and what can be done about it. Nothing here knows the SDK. */

export interface ObservedLoadBalancer {
  arn: string;
  name: string;
  /** Undefined for a moment after the creation. */
  dnsName?: string;
  state: 'active' | 'provisioning' | 'active_impaired' | 'failed';
  scheme: string;
  zones: readonly { zone: string; subnetId: string }[];
  securityGroupIds: readonly string[];
  tags: Tags;
  attributes: Readonly<Record<string, string>>;
}

export interface ObservedTargetGroup {
  arn: string;
  name: string;
  tags: Tags;
  attributes: Readonly<Record<string, string>>;
}

export interface ObservedListener {
  arn: string;
  port: number;
  targetGroupArn?: string;
}

export interface ObservedLoadBalancing {
  /** The one of the desired name. */
  loadBalancer?: ObservedLoadBalancer;
  /** By name, those of the names that were asked for. */
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
  port: number;
  healthCheck: HealthCheck;
  attributes: Readonly<Record<string, string>>;
}

export interface DesiredLoadBalancing {
  name: string;
  scheme: 'internet-facing' | 'internal';
  vpcId: string;
  subnetIds: readonly string[];
  securityGroupIds: readonly string[];
  /** Of the load balancer, its target groups and its listeners. */
  tags: Tags;
  attributes: Readonly<Record<string, string>>;
  /** The API's comes first. */
  listeners: readonly { port: number; targetGroup: DesiredTargetGroup }[];
  /** spec.controlPlaneEndpoint.host: the load balancer existed once. */
  recordedHost?: string;
}

/** One call to ELBv2. */
export type LoadBalancerAction =
  | { type: 'CreateLoadBalancer'; desired: DesiredLoadBalancing }
  | { type: 'SetLoadBalancerAttributes'; arn: string; attributes: Readonly<Record<string, string>> }
  | { type: 'CreateTargetGroup'; name: string; vpcId: string; group: DesiredTargetGroup; tags: Tags }
  | { type: 'SetTargetGroupAttributes'; arn: string; name: string; attributes: Readonly<Record<string, string>> }
  | { type: 'CreateListener'; loadBalancerArn: string; port: number; targetGroupArn: string; tags: Tags }
  | { type: 'DeleteLoadBalancer'; arn: string; name: string }
  | { type: 'DeleteTargetGroup'; arn: string; name: string };
