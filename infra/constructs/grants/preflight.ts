import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import * as may from './permissions.ts';

const IAM = `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}`;

/** Checks whether the profiles that machines name exist, including the user's own. */
const readingInstanceProfiles = (): PolicyStatement =>
  new PolicyStatement({ actions: ['iam:GetInstanceProfile'], resources: [`${IAM}:instance-profile/*`] });

/** Checks whether the role exists with which Auto Scaling launches instances, and reads its ARN. */
const readingAutoScalingRole = (): PolicyStatement =>
  new PolicyStatement({
    actions: ['iam:GetRole'],
    resources: [`${IAM}:role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling`],
  });

/** Reads data about customers' keys before Auto Scaling uses them; the policy of each key decides who may read it. */
const readingVolumeKeys = (): PolicyStatement =>
  new PolicyStatement({
    actions: ['kms:DescribeKey', 'kms:GetKeyPolicy', 'kms:ListGrants'],
    resources: [`arn:${Aws.PARTITION}:kms:*:*:key/*`],
  });

/** The preflight checks; trials of creations need the same permissions as the creations. */
export const preflight = (): PolicyStatement[] => [
  may.reading('ec2', [
    'DescribeInstanceTypes',
    'DescribeInstanceTypeOfferings',
    'DescribeRegions',
    'GetEbsDefaultKmsKeyId',
  ]),
  // Service Quotas reads the limits with its caller's permissions; without them, a quota has no value.
  may.reading('elasticloadbalancing', ['DescribeAccountLimits', 'DescribeLoadBalancers']),
  may.referring('servicequotas', ['GetServiceQuota'], ['ec2', 'vpc', 'elasticloadbalancing']),
  readingInstanceProfiles(),
  readingAutoScalingRole(),
  readingVolumeKeys(),
  may.reading('autoscaling', ['DescribeAccountLimits']),
];
