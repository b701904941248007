/** Calls that prepare resources for the questions. */
import type { Call } from './question.ts';

type Input = NonNullable<Call['input']>;

export const ec2 = (operation: string, input?: Input, take?: Call['take']): Call => ({
  service: 'ec2',
  operation,
  input,
  take,
});

export const elb = (operation: string, input?: Input, take?: Call['take']): Call => ({
  service: 'elasticloadbalancing',
  operation,
  input,
  take,
});

export const secrets = (operation: string, input?: Input, take?: Call['take']): Call => ({
  service: 'secretsmanager',
  operation,
  input,
  take,
});

export const ssm = (operation: string, input?: Input): Call => ({ service: 'ssm', operation, input });

export const sts = (operation: string, input?: Input): Call => ({ service: 'sts', operation, input });

export const VPC = ec2('CreateVpc', { CidrBlock: '10.0.0.0/16' }, { vpc: 'vpcId' });
export const SUBNET = ec2('CreateSubnet', { VpcId: '{vpc}', CidrBlock: '10.0.1.0/24' }, { subnet: 'subnetId' });
export const GATEWAY = ec2('CreateInternetGateway', {}, { gateway: 'internetGatewayId' });
export const ATTACHED = ec2('AttachInternetGateway', { InternetGatewayId: '{gateway}', VpcId: '{vpc}' });
export const TABLE = ec2('CreateRouteTable', { VpcId: '{vpc}' }, { table: 'routeTableId' });
export const ASSOCIATED = ec2(
  'AssociateRouteTable',
  { RouteTableId: '{table}', SubnetId: '{subnet}' },
  { association: 'associationId' },
);
export const ADDRESS = ec2('AllocateAddress', { Domain: 'vpc' }, { allocation: 'allocationId' });
export const NAT = ec2(
  'CreateNatGateway',
  { SubnetId: '{subnet}', AllocationId: '{allocation}', ClientToken: '{unique}' },
  { nat: 'natGatewayId' },
);
export const GROUP = ec2(
  'CreateSecurityGroup',
  { VpcId: '{vpc}', GroupName: 'one', GroupDescription: 'one' },
  { group: 'groupId' },
);
export const OTHER_GROUP = ec2(
  'CreateSecurityGroup',
  { VpcId: '{vpc}', GroupName: 'two', GroupDescription: 'two' },
  { other: 'groupId' },
);

/** The parameters of a security group rule that allows TCP 6443 from 10.0.0.0/16. */
export const RULE = {
  GroupId: '{group}',
  'IpPermissions.1.IpProtocol': 'tcp',
  'IpPermissions.1.FromPort': 6443,
  'IpPermissions.1.ToPort': 6443,
  'IpPermissions.1.IpRanges.1.CidrIp': '10.0.0.0/16',
};

export const RULE_FROM_GROUP = {
  GroupId: '{other}',
  'IpPermissions.1.IpProtocol': 'tcp',
  'IpPermissions.1.FromPort': 6443,
  'IpPermissions.1.ToPort': 6443,
  'IpPermissions.1.Groups.1.GroupId': '{group}',
};

export const RUN = {
  ImageId: '{image}',
  InstanceType: 't3.micro',
  MinCount: 1,
  MaxCount: 1,
  SubnetId: '{subnet}',
  ClientToken: '{unique}',
};
export const INSTANCE = ec2('RunInstances', RUN, { instance: 'instanceId' });

export const NETWORK = {
  Name: '{unique}',
  Type: 'network',
  Scheme: 'internal',
  'Subnets.member.1': '{subnet}',
};
export const BALANCER = elb('CreateLoadBalancer', NETWORK, { balancer: 'LoadBalancerArn' });
export const TARGETS = { Name: '{unique}', Protocol: 'TCP', Port: 6443, VpcId: '{vpc}', TargetType: 'instance' };
export const TARGET_GROUP = elb('CreateTargetGroup', TARGETS, { targets: 'TargetGroupArn' });
export const LISTEN = {
  LoadBalancerArn: '{balancer}',
  Protocol: 'TCP',
  Port: 6443,
  'DefaultActions.member.1.Type': 'forward',
  'DefaultActions.member.1.TargetGroupArn': '{targets}',
};
export const LISTENER = elb('CreateListener', LISTEN, { listener: 'ListenerArn' });
