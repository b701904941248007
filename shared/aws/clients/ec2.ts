import { EC2Client } from '@aws-sdk/client-ec2';
import { type ClientOptions, givenOptions } from './options.ts';

/** A client of EC2: networks, addresses, security groups, instances. */
export const createEc2Client = (options: ClientOptions = {}): EC2Client => new EC2Client(givenOptions(options));
