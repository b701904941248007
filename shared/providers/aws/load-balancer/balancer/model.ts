import type { Tags } from '../../tags.ts';
import type { DesiredLoadBalancing } from '../desired-balancing.ts';

type Attributes = Readonly<Record<string, string>>;

/** The result of a lookup of a load balancer. */
export interface FoundLoadBalancer {
  arn: string;
  name: string;
  vpcId: string;
  /** Undefined for a moment after the creation. */
  dnsName?: string;
  state: 'active' | 'provisioning' | 'active_impaired' | 'failed';
  /** Why it is in that state, if AWS gives a reason. */
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

export type BalancerAction =
  | { type: 'CreateLoadBalancer'; desired: DesiredLoadBalancing }
  | { type: 'SetLoadBalancerAttributes'; arn: string; attributes: Attributes }
  | { type: 'SetIpAddressType'; arn: string; ipAddressType: DesiredLoadBalancing['ipAddressType'] }
  | { type: 'SetSubnets'; arn: string; subnetIds: readonly string[] }
  | { type: 'SetSecurityGroups'; arn: string; groupIds: readonly string[] }
  | { type: 'DeleteLoadBalancer'; arn: string; name: string };
