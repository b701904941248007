import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import * as may from './permissions.ts';

/** Finds, allocates and releases Elastic IP addresses, including those of users' own pools. */
export const addresses = (): PolicyStatement[] => [
  may.reading('ec2', ['DescribeAddresses', 'DescribePublicIpv4Pools']),
  may.creating('ec2', ['AllocateAddress'], ['elastic-ip']),
  may.taggingOnCreate(['AllocateAddress'], ['elastic-ip']),
  may.referring('ec2', ['AllocateAddress'], ['ipv4pool-ec2']),
  may.changing('ec2', ['ReleaseAddress'], ['elastic-ip']),
];
