import { Aws } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import * as may from './permissions.ts';
import { spotMarket } from './spot.ts';
import { claimingVolumes } from './volumes.ts';

const GROUPS = ['autoScalingGroup:*:autoScalingGroupName'];

/** Creates, changes and deletes launch templates of clusters. */
const templates = (): PolicyStatement[] => [
  may.reading('ec2', ['DescribeLaunchTemplates', 'DescribeLaunchTemplateVersions']),
  may.creating('ec2', ['CreateLaunchTemplate'], ['launch-template']),
  may.taggingOnCreate(['CreateLaunchTemplate'], ['launch-template']),
  may.changing(
    'ec2',
    ['CreateLaunchTemplateVersion', 'DeleteLaunchTemplateVersions', 'DeleteLaunchTemplate'],
    ['launch-template'],
  ),
];

/** The same for Auto Scaling groups. */
const groups = (): PolicyStatement[] => [
  may.reading('autoscaling', [
    'DescribeAutoScalingGroups',
    'DescribeInstanceRefreshes',
    'DescribeLifecycleHooks',
    'DescribeScalingActivities',
    'DescribeWarmPool',
  ]),
  may.creating('autoscaling', ['CreateAutoScalingGroup'], GROUPS),
  may.changing(
    'autoscaling',
    [
      'CreateOrUpdateTags',
      'DeleteTags',
      'UpdateAutoScalingGroup',
      'SuspendProcesses',
      'ResumeProcesses',
      'PutLifecycleHook',
      'DeleteLifecycleHook',
      'PutWarmPool',
      'DeleteWarmPool',
      'CompleteLifecycleAction',
      'StartInstanceRefresh',
      'CancelInstanceRefresh',
      'DeleteAutoScalingGroup',
    ],
    GROUPS,
  ),
  may.makingServiceRole('autoscaling', 'AWSServiceRoleForAutoScaling'),
  ...spotMarket(),
];

/** Tells a group that the node of an instance that it terminates has been drained. */
export const endingDrainWaits = (): PolicyStatement => may.changing('autoscaling', ['CompleteLifecycleAction'], GROUPS);

/** The reads that determine the template of a group. */
const reads = (): PolicyStatement[] => [
  may.reading('ec2', [
    'DescribeInstanceTypes',
    'DescribeImages',
    'DescribeSubnets',
    'DescribeSecurityGroups',
    'DescribeTags',
  ]),
  may.readingImageParameters(),
];

/**
 * Passes roles with which lifecycle hooks notify queues and topics, by the role suffix of Cluster API's AWS provider,
 * which may pass them as well. Auto Scaling can use only roles that trust it.
 */
const passingHookRoles = (): PolicyStatement =>
  may.statement(
    ['iam:PassRole'],
    [`arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/*.cluster-api-provider-aws.sigs.k8s.io`],
    { StringLike: { 'iam:PassedToService': 'autoscaling.amazonaws.com*' } },
  );

/**
 * A pool's launch template and its Auto Scaling group. `instanceProfiles` are the names of the profiles that machines
 * may have.
 */
export const pool = (instanceProfiles: readonly string[]): PolicyStatement[] => [
  ...reads(),
  ...templates(),
  ...groups(),
  ...may.launchingByTemplate(),
  ...claimingVolumes(),
  may.writingObjects(),
  may.keepingObjects(['DeleteObject']),
  may.passingInstanceRoles(instanceProfiles),
  passingHookRoles(),
];
