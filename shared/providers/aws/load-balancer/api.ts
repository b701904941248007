import type { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { type BalancerReads, type BalancerWrites, balancerReads, balancerWrites } from './balancer/api.ts';
import { type ListenerReads, type ListenerWrites, listenerReads, listenerWrites } from './listeners/api.ts';
import { type TagReads, type TagWrites, tagReads, tagWrites } from './tags/api.ts';
import {
  type TargetGroupReads,
  type TargetGroupWrites,
  targetGroupReads,
  targetGroupWrites,
} from './target-groups/api.ts';

/** Errors are the SDK's; a lookup by name returns undefined if there is none. */
export interface Elbv2Reads extends BalancerReads, TargetGroupReads, ListenerReads, TagReads {}

/**
 * All of them may be repeated: names are unique in a region, and the deletion of a missing resource succeeds. Creations
 * return the current state if the response contains it.
 */
export interface Elbv2Writes extends BalancerWrites, TargetGroupWrites, ListenerWrites, TagWrites {}

/** The part of ELBv2 with which the API's load balancers are made. */
export interface Elbv2 extends Elbv2Reads, Elbv2Writes {}

/** The read part of the port. */
export const elbv2Reads = (client: ElasticLoadBalancingV2Client): Elbv2Reads => ({
  ...balancerReads(client),
  ...targetGroupReads(client),
  ...listenerReads(client),
  ...tagReads(client),
});

/** The port, implemented with an SDK client, which may retry freely. */
export const createElbv2 = (client: ElasticLoadBalancingV2Client): Elbv2 => ({
  ...elbv2Reads(client),
  ...balancerWrites(client),
  ...targetGroupWrites(client),
  ...listenerWrites(client),
  ...tagWrites(client),
});
