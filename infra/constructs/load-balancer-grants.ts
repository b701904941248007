import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { addresses } from './address-grants.ts';
import * as may from './permissions.ts';

const LOAD_BALANCER_PARTS = ['loadbalancer', 'targetgroup', 'listener'];

/** What the first generation calls otherwise than the second. */
const CLASSIC_CHANGES = [
  'ApplySecurityGroupsToLoadBalancer',
  'AttachLoadBalancerToSubnets',
  'ConfigureHealthCheck',
  'CreateLoadBalancerListeners',
  'DeleteLoadBalancerListeners',
  'RegisterInstancesWithLoadBalancer',
];

/** What load balancers are compared with what they are asked to be by. */
export const LOAD_BALANCER_LOOKS = [
  'DescribeLoadBalancers',
  'DescribeLoadBalancerAttributes',
  'DescribeTargetGroups',
  'DescribeTargetGroupAttributes',
  'DescribeTargetHealth',
  'DescribeListeners',
  'DescribeTags',
];

/** Making, mending and deleting load balancers of both generations. */
export const loadBalancer = (): PolicyStatement[] => [
  may.reading('elasticloadbalancing', LOAD_BALANCER_LOOKS),
  may.creating('elasticloadbalancing', ['CreateLoadBalancer', 'CreateTargetGroup', 'AddTags'], LOAD_BALANCER_PARTS),
  may.creating('elasticloadbalancing', ['CreateListener'], LOAD_BALANCER_PARTS),
  may.changing(
    'elasticloadbalancing',
    [
      'AddTags',
      'RemoveTags',
      'ModifyLoadBalancerAttributes',
      'SetIpAddressType',
      'SetSubnets',
      'SetSecurityGroups',
      'ModifyTargetGroup',
      'ModifyTargetGroupAttributes',
      'RegisterTargets',
      'ModifyListener',
      'DeleteListener',
      'DeleteTargetGroup',
      'DeleteLoadBalancer',
    ],
    LOAD_BALANCER_PARTS,
  ),
  may.changing('elasticloadbalancing', CLASSIC_CHANGES, ['loadbalancer']),
  ...may.deletingOfControllers(
    'elasticloadbalancing',
    ['DeleteLoadBalancer', 'DeleteTargetGroup'],
    ['loadbalancer', 'targetgroup'],
  ),
  may.makingServiceRole('elasticloadbalancing', 'AWSServiceRoleForElasticLoadBalancing'),
  ...addresses(),
  // Whose VPC it is, and whose the instances behind a load balancer are.
  may.reading('ec2', ['DescribeVpcs', 'DescribeInstances']),
];

/** A machine's place behind them. */
export const target = (): PolicyStatement[] => [
  may.reading('elasticloadbalancing', ['DescribeTargetGroups', 'DescribeLoadBalancers', 'DescribeTags']),
  may.changing('elasticloadbalancing', ['RegisterTargets', 'DeregisterTargets'], ['targetgroup']),
  may.changing(
    'elasticloadbalancing',
    ['RegisterInstancesWithLoadBalancer', 'DeregisterInstancesFromLoadBalancer'],
    ['loadbalancer'],
  ),
];
