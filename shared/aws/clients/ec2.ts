import { EC2Client } from '@aws-sdk/client-ec2';
import { paced } from '../pace/pace.ts';
import { type ClientOptions, givenOptions } from './options.ts';
import { unlogged } from './unlogged.ts';

/** A client of EC2: networks, addresses, security groups, instances. */
export const createEc2Client = (options: ClientOptions = {}): EC2Client =>
  paced(unlogged(new EC2Client(givenOptions(options))), 'ec2', options.pace);
