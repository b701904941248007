/**
 * The actions that Elastic Load Balancing calls in EC2 with its caller's permissions; if they are missing, it refuses
 * the call. Source: Elastic Load Balancing User Guide, "Elastic Load Balancing API permissions". For CreateLoadBalancer
 * of the first generation, its list also contains CreateSecurityGroup, for a load balancer without groups; ours always
 * have one.
 */
const TARGETS = ['DescribeInstances', 'DescribeInternetGateways', 'DescribeSubnets', 'DescribeVpcs'];
const CLASSIC_TARGETS = ['DescribeClassicLinkInstances', 'DescribeInstances'];

/** Both generations have operations with the same names; the longer list is used. */
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

/** The EC2 actions that an operation of Elastic Load Balancing requires in addition to its own. */
export const readByBalancing = (operation: string): string[] =>
  (READ[operation] ?? []).map((action) => `ec2:${action}`);

/**
 * An action that Service Quotas calls in Elastic Load Balancing with its caller's permissions; without it, the answer
 * contains a quota without a value. Sources: Service Quotas API Reference, ErrorReason; AWS managed policy
 * ServiceQuotasReadOnlyAccess.
 */
export const READ_BY_QUOTAS = 'elasticloadbalancing:DescribeAccountLimits';
