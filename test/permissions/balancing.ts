/**
 * What Elastic Load Balancing reads in EC2 with the permissions of the caller, and refuses the call without. Source:
 * Elastic Load Balancing User Guide, "Elastic Load Balancing API permissions". Its list for CreateLoadBalancer of the
 * first generation has CreateSecurityGroup as well, for a load balancer without groups; ours always have one.
 */
const TARGETS = ['DescribeInstances', 'DescribeInternetGateways', 'DescribeSubnets', 'DescribeVpcs'];
const CLASSIC_TARGETS = ['DescribeClassicLinkInstances', 'DescribeInstances'];

/** Both generations have the operations of the same name; the longer list counts. */
const READ: Readonly<Record<string, readonly string[]>> = {
  CreateLoadBalancer: [
    'DescribeAccountAttributes',
    'DescribeAddresses',
    'DescribeInternetGateways',
    'DescribeSecurityGroups',
    'DescribeSubnets',
    'DescribeVpcs',
  ],
  DescribeLoadBalancers: ['DescribeSecurityGroups'],
  CreateTargetGroup: ['DescribeInternetGateways', 'DescribeVpcs'],
  RegisterTargets: TARGETS,
  SetIpAddressType: ['DescribeSubnets'],
  SetSubnets: ['DescribeSubnets'],
  ApplySecurityGroupsToLoadBalancer: ['DescribeAccountAttributes', 'DescribeSecurityGroups'],
  AttachLoadBalancerToSubnets: ['DescribeSubnets'],
  RegisterInstancesWithLoadBalancer: [...CLASSIC_TARGETS, 'DescribeAccountAttributes', 'DescribeVpcClassicLink'],
  DeregisterInstancesFromLoadBalancer: CLASSIC_TARGETS,
};

/** The actions of EC2 that an operation of Elastic Load Balancing requires beside its own. */
export const readByBalancing = (operation: string): string[] =>
  (READ[operation] ?? []).map((action) => `ec2:${action}`);

/**
 * What Service Quotas reads of Elastic Load Balancing with the permissions of the caller; without it, the answer has a
 * quota without a value. Sources: Service Quotas API Reference, ErrorReason; AWS managed policy
 * ServiceQuotasReadOnlyAccess.
 */
export const READ_BY_QUOTAS = 'elasticloadbalancing:DescribeAccountLimits';
