import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { paced } from '../pace/pace.ts';
import { type ClientOptions, givenOptions } from './options.ts';
import { unlogged } from './unlogged.ts';

/** A client of Elastic Load Balancing v2: the load balancers in front of the clusters' API servers. */
export const createElbv2Client = (options: ClientOptions = {}): ElasticLoadBalancingV2Client =>
  paced(unlogged(new ElasticLoadBalancingV2Client(givenOptions(options))), 'elasticloadbalancing', options.pace);
