import { awsCodeOf } from '../../../aws/errors.ts';

/** The exhausted quota for an error code, in the wording of the Service Quotas console. */
const QUOTAS: Readonly<Record<string, string>> = {
  VpcLimitExceeded: 'VPCs per Region',
  SubnetLimitExceeded: 'Subnets per VPC',
  InternetGatewayLimitExceeded: 'Internet gateways per Region',
  AddressLimitExceeded: 'EC2-VPC Elastic IPs',
  NatGatewayLimitExceeded: 'NAT gateways per Availability Zone',
  RouteTableLimitExceeded: 'Route tables per VPC',
  RouteLimitExceeded: 'Routes per route table',
  SecurityGroupLimitExceeded: 'VPC security groups per Region',
  RulesPerSecurityGroupLimitExceeded: 'Inbound or outbound rules per security group',
  SecurityGroupsPerInterfaceLimitExceeded: 'Security groups per network interface',
  NetworkInterfaceLimitExceeded: 'Network interfaces per Region',
  VcpuLimitExceeded: 'Running On-Demand instances (vCPUs)',
  InstanceLimitExceeded: 'Running On-Demand instances',
  MaxSpotInstanceCountExceeded: 'All Spot Instance Requests',
  TooManyLoadBalancers: 'Network Load Balancers per Region',
  TooManyAccessPoints: 'Classic Load Balancers per Region',
  TooManyTargetGroups: 'Target Groups per Region',
  TooManyListeners: 'Listeners per Network Load Balancer',
  TooManyTargets: 'Targets per Network Load Balancer',
};

/** What a user can do about a quota error; an empty string if the quota has no name here. */
export const quotaAdvice = (error: unknown): string => {
  const quota = QUOTAS[awsCodeOf(error) ?? ''];
  return quota
    ? `: the quota "${quota}" is used up. Raise it in Service Quotas or free some; the cluster then continues automatically`
    : '';
};
