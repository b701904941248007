import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { type ClientOptions, givenOptions } from './options.ts';
import { unlogged } from './unlogged.ts';

/** A client of EC2 Auto Scaling. */
export const createAutoScalingClient = (options: ClientOptions = {}): AutoScalingClient =>
  unlogged(new AutoScalingClient(givenOptions(options)));
