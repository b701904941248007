import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { makingServiceRole, referring } from './permissions.ts';

/**
 * Launching on the spot market makes a request as well, for which EC2 also asks IAM. It carries no tags; the instance that
 * is made with it must have those of a cluster. Source: Amazon EC2 User Guide, "Tag Spot Instance requests", prerequisites.
 */
export const spotMarket = (): PolicyStatement[] => [
  referring('ec2', ['RunInstances'], ['spot-instances-request']),
  makingServiceRole('spot', 'AWSServiceRoleForEC2Spot'),
];
