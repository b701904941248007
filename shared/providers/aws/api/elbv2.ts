import type { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { type Elbv2Reads, elbv2Reads } from './elbv2-reads.ts';
import { type Elbv2Writes, elbv2Writes } from './elbv2-writes.ts';

/** The part of ELBv2 that the API's load balancers are made of. */
export interface Elbv2 extends Elbv2Reads, Elbv2Writes {}

/** The port over an SDK client, which may retry as it likes. */
export const createElbv2 = (client: ElasticLoadBalancingV2Client): Elbv2 => ({
  ...elbv2Reads(client),
  ...elbv2Writes(client),
});
