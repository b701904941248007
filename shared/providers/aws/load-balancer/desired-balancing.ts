import type { AddressPool } from '../plan/addresses/plan.ts';
import type { Tags } from '../tags.ts';
import type { BalancerRole } from './roles.ts';
import type { DesiredTargetGroup } from './target-groups/model.ts';

type Attributes = Readonly<Record<string, string>>;

/** The desired state of an API's load balancer with all of its parts. */
export interface DesiredLoadBalancing {
  role: BalancerRole;
  /** A classic load balancer also represents its only target group (classic/api.ts). */
  type: 'network' | 'classic';
  name: string;
  /** The user has specified the name: if the user has a load balancer with that name, it is used unchanged. */
  isNamed: boolean;
  scheme: 'internet-facing' | 'internal';
  ipAddressType: 'ipv4' | 'dualstack';
  vpcId: string;
  subnetIds: readonly string[];
  /** The zones of these subnets. Undefined if the spec itself names the load balancer's subnets. */
  subnetZones?: Readonly<Record<string, string>>;
  /** Subnets of the cluster without IPv6, if the load balancer should have it. */
  withoutIpv6?: readonly string[];
  securityGroupIds: readonly string[];
  /** The source of its public addresses, one for each subnet; if omitted, they are Amazon's. */
  addressPool?: AddressPool;
  /** For the load balancer, its target groups and its listeners. */
  tags: Tags;
  /** Keys of tags that were set before and are no longer wanted. */
  staleTags: readonly string[];
  attributes: Attributes;
  /** The API's listener comes first. */
  listeners: readonly { port: number; targetGroup: DesiredTargetGroup }[];
  /** Names of target groups in the status; those that are no longer needed are deleted. */
  recordedGroups: readonly string[];
  /** The endpoint, if it is the name of a load balancer that once existed. */
  recordedHost?: string;
  /** The endpoint, if it is the user's own name, which the user resolves to the load balancer. */
  ownEndpoint?: { host: string; port?: number };
}
