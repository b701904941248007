import { POOL_REASONS } from './pool-reasons.ts';

/**
 * The questions that the simulated AWS answers as neither emulator does, each with the part of AWS's own documentation
 * that justifies the answer.
 */
export const REASONS: Readonly<Record<string, string>> = {
  ...POOL_REASONS,
  'a dry run': 'the reference of DryRun: the answer to an allowed dry run is DryRunOperation',
  'a second internet gateway': 'the user guide of VPCs: a VPC has one internet gateway at a time',
  'detach an internet gateway under a NAT gateway':
    'the user guide of NAT gateways: a public one needs the internet gateway of its VPC; the reference of DetachInternetGateway refuses while public addresses are in use',
  'a route to a NAT gateway that does not exist':
    'the list of error codes of EC2: InvalidNatGatewayID.NotFound for a NAT gateway that does not exist',
  'delete the main route table': 'the reference of DeleteRouteTable: the main one cannot be deleted',
  'associate a subnet with a second route table':
    'the user guide of VPCs: a subnet is associated with one route table at a time; ReplaceRouteTableAssociation changes it',
  'release an address that a NAT gateway uses':
    'the reference of ReleaseAddress: it has to be disassociated first; the code is the one that AWS has been observed to return (kubernetes/kops 938 and 1604)',
  'a NAT gateway, requested twice with one token':
    'the reference of CreateNatGateway: a client token makes it idempotent',
  'delete a subnet with a NAT gateway':
    'the list of error codes of EC2: DependencyViolation where a resource, here the network interface of the gateway, depends on the one to be deleted',
  'subnets in pages of five': 'the reference of DescribeSubnets: MaxResults, 5 to 1000',
  'pages of three': 'the reference of DescribeSubnets: MaxResults, 5 to 1000',
  'an unknown page token': 'the list of error codes of EC2: InvalidNextToken',
  'a security group named like an id': 'the reference of CreateSecurityGroup: names cannot start with sg-',
  'a security group in a VPC that does not exist':
    'the list of error codes of EC2: InvalidVpcID.NotFound for a VPC that does not exist',
  'delete a security group that a rule names':
    'the reference of DeleteSecurityGroup: DependencyViolation while another group of the VPC refers to it',
  'delete a security group of an instance':
    'the reference of DeleteSecurityGroup: DependencyViolation while an instance or a network interface has it',
  'a rule whose block has bits beyond its length': 'the reference of IpRange: blocks are canonicalized',
  'a tag that is reserved for AWS': 'the reference of Tag: keys may not begin with aws:',
  'tags for a different type of resource than is created':
    'the reference of TagSpecification: the type of the created resource',
  'VPCs by an unknown filter':
    'the list of error codes of EC2: InvalidParameterValue for a value that is not supported',
  'a launch, requested twice with one token': 'the reference of RunInstances: a client token makes it idempotent',
  'another launch with a token that was used':
    'the list of error codes of EC2: IdempotentParameterMismatch if the token of another request is reused',
  'a launch of an image that does not exist':
    'the list of error codes of EC2: InvalidAMIID.NotFound for an image that does not exist',
  'a launch of a type that does not exist':
    'the list of error codes of EC2: InvalidParameterValue for a value that is not supported',
  'a launch with a key pair that does not exist':
    'the list of error codes of EC2: InvalidKeyPair.NotFound for a key pair that does not exist',
  'a launch with the security group of another VPC':
    'the list of error codes of EC2 names this case under InvalidParameter',
  'a launch of fewer than one instance': 'the reference of RunInstances: MinCount from 1',
  'terminate a malformed id': 'the list of error codes of EC2 distinguishes malformed ids from ids that do not exist',
  'start an instance that is terminated':
    'the list of error codes of EC2: IncorrectInstanceState; the reference of StartInstances allows only stopped instances',
  'delete a subnet with an instance': 'the reference of DeleteSubnet: its instances have to be terminated first',
  'a load balancer, requested twice': 'the reference of CreateLoadBalancer calls it idempotent for the same settings',
  'a load balancer with too long a name': 'the reference of CreateLoadBalancer: a name has at most 32 characters',
  'a load balancer in a subnet that does not exist':
    'the reference of CreateLoadBalancer lists SubnetNotFound among its errors, and no code of EC2',
  'the ARN of a network load balancer':
    'the user guide of network load balancers shows `loadbalancer/net/` in their ARNs',
  'delete a load balancer that is protected':
    'the reference of DeleteLoadBalancer: not while deletion protection is on',
  'delete a subnet with a load balancer':
    'the list of error codes of EC2: DependencyViolation where a resource, here the network interface of the load balancer, depends on the one to be deleted',
  'a target group, requested twice': 'the reference of CreateTargetGroup calls it idempotent for the same settings',
  'delete a target group that does not exist': 'the model of DeleteTargetGroup has no such error',
  'another listener on a port in use':
    'the reference of CreateListener: DuplicateListener if a listener with the port exists',
  'a target that does not exist': 'the reference of RegisterTargets: InvalidTarget for a target that does not exist',
  'a secret with an invalid name': 'the reference of CreateSecret lists the characters of a name',
  'a secret with the name of a deleted one':
    'a secret keeps its name until the end of its recovery window, and the service returns InvalidRequestException for what a scheduled deletion forbids',
  'a parameter with an invalid name':
    'the reference of PutParameter: a name with blanks in it fails with ValidationException',
  'a parameter that is too long': 'the reference of PutParameter: at most 4 KB, 8 KB for an advanced one',
  'a role for a minute': 'the reference of AssumeRole: DurationSeconds from 900',
  'a role with too short a session name': 'the reference of AssumeRole: a session name has at least 2 characters',
};
