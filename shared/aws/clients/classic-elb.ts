import { ElasticLoadBalancingClient } from '@aws-sdk/client-elastic-load-balancing';
import { type ClientOptions, givenOptions } from './options.ts';
import { unlogged } from './unlogged.ts';

/** A client of Classic Load Balancing, which cloud controller managers use for Services by default. */
export const createClassicElbClient = (options: ClientOptions = {}): ElasticLoadBalancingClient =>
  unlogged(new ElasticLoadBalancingClient(givenOptions(options)));
