import { EC2Client } from '@aws-sdk/client-ec2';
import { paced } from '../pace/pace.ts';
import { type ClientOptions, givenOptions } from './options.ts';
import { unlogged } from './unlogged.ts';

/** A client of EC2: networks, addresses, security groups, instances. */
export const createEc2Client = (options: ClientOptions = {}): EC2Client =>
  paced(unlogged(new EC2Client(givenOptions(options))), 'ec2', options.pace);

/**
 * A client for creations without a client token. It makes one attempt: if the response was lost, the SDK's repetition
 * would create a second resource.
 */
export const createEc2Writer = (options: ClientOptions = {}): EC2Client =>
  createEc2Client({ ...options, maxAttempts: 1 });
