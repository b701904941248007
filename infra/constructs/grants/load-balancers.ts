import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BALANCING_RIGHTS } from '../../../shared/providers/aws/load-balancer/drivers.ts';
import { SERVICE_ROLE } from '../../../shared/providers/aws/services/service-tags.ts';
import { addresses } from './addresses.ts';
import * as may from './permissions.ts';
import {
  changingOfRole,
  creatingGroupsOfRole,
  creatingOfRole,
  taggingOfRole,
  taggingRulesOfRole,
} from './role-permissions.ts';

/**
 * Elastic Load Balancing reads these from EC2 with its caller's permissions, for new load balancers and target groups
 * and for registrations. In an account without the service's own role, it refuses the calls if these permissions are
 * missing, and does not create that role. Source: Elastic Load Balancing User Guide, "Elastic Load Balancing API
 * permissions".
 */
const readByService = (): PolicyStatement =>
  may.reading('ec2', [
    'DescribeAccountAttributes',
    'DescribeClassicLinkInstances',
    'DescribeInstances',
    'DescribeInternetGateways',
    'DescribeSecurityGroups',
    'DescribeSubnets',
    'DescribeVpcClassicLink',
    'DescribeVpcs',
  ]);

/** Calls whose names in the first generation differ from those in the second. */
const CLASSIC_CHANGES = [
  'ApplySecurityGroupsToLoadBalancer',
  'AttachLoadBalancerToSubnets',
  'ConfigureHealthCheck',
  'CreateLoadBalancerListeners',
  'DeleteLoadBalancerListeners',
  'RegisterInstancesWithLoadBalancer',
];

/** Creates, repairs and deletes load balancers of both generations. */
export const loadBalancer = (): PolicyStatement[] => [
  may.reading('elasticloadbalancing', BALANCING_RIGHTS.reads),
  may.creating('elasticloadbalancing', BALANCING_RIGHTS.creates, BALANCING_RIGHTS.types),
  may.changing('elasticloadbalancing', BALANCING_RIGHTS.changes, BALANCING_RIGHTS.types),
  may.changing('elasticloadbalancing', CLASSIC_CHANGES, ['loadbalancer']),
  ...may.deletingOfControllers(
    'elasticloadbalancing',
    ['DeleteLoadBalancer', 'DeleteTargetGroup'],
    ['loadbalancer', 'targetgroup'],
  ),
  may.makingServiceRole('elasticloadbalancing', 'AWSServiceRoleForElasticLoadBalancing'),
  ...addresses(),
  readByService(),
  // Shows who owns the additional security groups; the VPC and the instances behind a load balancer are read above.
  may.reading('ec2', ['DescribeTags']),
];

/** Registers machines with load balancers, and deregisters them. */
export const target = (): PolicyStatement[] => [
  may.reading('elasticloadbalancing', ['DescribeTargetGroups', 'DescribeLoadBalancers', 'DescribeTags']),
  may.changing('elasticloadbalancing', ['RegisterTargets', 'DeregisterTargets'], ['targetgroup']),
  may.changing(
    'elasticloadbalancing',
    ['RegisterInstancesWithLoadBalancer', 'DeregisterInstancesFromLoadBalancer'],
    ['loadbalancer'],
  ),
  readByService(),
];

/** Only classic load balancers have these. */
const CLASSIC_SERVICE_CHANGES = [
  ...CLASSIC_CHANGES,
  'DetachLoadBalancerFromSubnets',
  'CreateLoadBalancerPolicy',
  'SetLoadBalancerPoliciesOfListener',
  'SetLoadBalancerPoliciesForBackendServer',
  'DeregisterInstancesFromLoadBalancer',
];

/** The classic load balancers of Services, each with its own security group. */
const classicBalancers = (): PolicyStatement[] => [
  changingOfRole(SERVICE_ROLE, 'elasticloadbalancing', CLASSIC_SERVICE_CHANGES, ['loadbalancer']),
  taggingOfRole(SERVICE_ROLE, 'elasticloadbalancing', ['loadbalancer']),
  ...creatingGroupsOfRole(SERVICE_ROLE),
  changingOfRole(
    SERVICE_ROLE,
    'ec2',
    ['AuthorizeSecurityGroupIngress', 'RevokeSecurityGroupIngress', 'DeleteSecurityGroup'],
    ['security-group'],
  ),
];

/**
 * Load balancers of Services; no others can be created or changed. Rules may be changed only in the group of the nodes
 * that is meant for them, and in groups that were created for such load balancers.
 */
export const serviceBalancers = (): PolicyStatement[] => [
  may.reading('elasticloadbalancing', [
    'DescribeLoadBalancers',
    'DescribeLoadBalancerAttributes',
    'DescribeListeners',
    'DescribeTargetGroups',
    'DescribeTargetGroupAttributes',
    'DescribeTargetHealth',
    'DescribeTags',
  ]),
  ...creatingOfRole(
    SERVICE_ROLE,
    'elasticloadbalancing',
    ['CreateLoadBalancer', 'CreateTargetGroup', 'CreateListener'],
    // A listener is created on its load balancer.
    { made: ['loadbalancer', 'targetgroup'], tagged: ['loadbalancer', 'targetgroup', 'listener'] },
  ),
  changingOfRole(
    SERVICE_ROLE,
    'elasticloadbalancing',
    [
      'ModifyLoadBalancerAttributes',
      'DeleteLoadBalancer',
      'ModifyTargetGroup',
      'ModifyTargetGroupAttributes',
      'RegisterTargets',
      'DeregisterTargets',
      'DeleteTargetGroup',
      'ModifyListener',
      'DeleteListener',
    ],
    ['loadbalancer', 'targetgroup', 'listener'],
  ),
  may.makingServiceRole('elasticloadbalancing', 'AWSServiceRoleForElasticLoadBalancing'),
  readByService(),
  may.reading('ec2', ['DescribeAddresses', 'DescribeAvailabilityZones']),
  ...taggingRulesOfRole(SERVICE_ROLE),
  changingOfRole('lb', 'ec2', ['AuthorizeSecurityGroupIngress', 'RevokeSecurityGroupIngress'], ['security-group']),
  ...classicBalancers(),
];
