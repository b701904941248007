import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { type ClientOptions, givenOptions } from './options.ts';

/** A client of EC2 Auto Scaling. */
export const createAutoScalingClient = (options: ClientOptions = {}): AutoScalingClient =>
  new AutoScalingClient(givenOptions(options));
