import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { makingServiceRole, referring } from './permissions.ts';

/**
 * A launch on the spot market also creates a request, for which EC2 asks IAM as well. Only the instance must have the
 * tags of a cluster, because launches that were decided by earlier versions give the request no tags. Source: Amazon
 * EC2 User Guide, "Tag Spot Instance requests", prerequisites.
 */
export const spotMarket = (): PolicyStatement[] => [
  referring('ec2', ['RunInstances'], ['spot-instances-request']),
  makingServiceRole('spot', 'AWSServiceRoleForEC2Spot'),
];
