import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { makingServiceRole, referring } from './permissions.ts';

/**
 * Launching on the spot market makes a request as well, for which EC2 also asks IAM. Only the instance that is made with it
 * must have the tags of a cluster: launches that were decided by earlier versions give the request none. Source: Amazon EC2 User Guide, "Tag Spot Instance requests", prerequisites.
 */
export const spotMarket = (): PolicyStatement[] => [
  referring('ec2', ['RunInstances'], ['spot-instances-request']),
  makingServiceRole('spot', 'AWSServiceRoleForEC2Spot'),
];
