import type { AddressPool } from '../plan/addresses/plan.ts';
import type { Tags } from '../tags.ts';
import type { BalancerRole } from './roles.ts';
import type { DesiredTargetGroup } from './target-groups/model.ts';

type Attributes = Readonly<Record<string, string>>;

/** What the load balancer of an API is to be, with all that belongs to it. */
export interface DesiredLoadBalancing {
  role: BalancerRole;
  /** A classic load balancer stands for its only target group as well (classic/api.ts). */
  type: 'network' | 'classic';
  name: string;
  /** The user gave the name: the user's own load balancer of that name is used unchanged. */
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
