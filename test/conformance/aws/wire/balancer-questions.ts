import { valueIn } from '../raw.ts';
import {
  BALANCER,
  ec2,
  elb,
  INSTANCE,
  LISTEN,
  LISTENER,
  NETWORK,
  SUBNET,
  TARGET_GROUP,
  TARGETS,
  VPC,
} from './given.ts';
import type { Question } from './question.ts';

const LOST = '0123456789abcdef';
const LOST_BALANCER = `arn:aws:elasticloadbalancing:us-east-1:000000000000:loadbalancer/net/lost/${LOST}`;
const LOST_TARGETS = `arn:aws:elasticloadbalancing:us-east-1:000000000000:targetgroup/lost/${LOST}`;
const ALL = [VPC, SUBNET, BALANCER, TARGET_GROUP, LISTENER];
const protect = elb('ModifyLoadBalancerAttributes', {
  LoadBalancerArn: '{balancer}',
  'Attributes.member.1.Key': 'deletion_protection.enabled',
  'Attributes.member.1.Value': 'true',
});

export const BALANCER_QUESTIONS: readonly Question[] = [
  {
    name: 'a load balancer, requested twice',
    given: [VPC, SUBNET, BALANCER],
    ask: elb('CreateLoadBalancer', NETWORK),
    see: ({ body }, { balancer }) => (valueIn(body, 'LoadBalancerArn') === balancer ? 'the same' : 'another'),
  },
  {
    name: 'another load balancer of the same name',
    given: [VPC, SUBNET, BALANCER],
    ask: elb('CreateLoadBalancer', { ...NETWORK, Scheme: 'internet-facing' }),
  },
  {
    name: 'a load balancer with too long a name',
    given: [VPC, SUBNET],
    ask: elb('CreateLoadBalancer', { ...NETWORK, Name: 'x'.repeat(33) }),
  },
  {
    name: 'a load balancer in a subnet that does not exist',
    ask: elb('CreateLoadBalancer', { ...NETWORK, 'Subnets.member.1': `subnet-${LOST}0` }),
  },
  { name: 'a load balancer that does not exist', ask: elb('DescribeLoadBalancers', { 'Names.member.1': 'lost' }) },
  {
    name: 'the ARN of a network load balancer',
    given: [VPC, SUBNET],
    ask: elb('CreateLoadBalancer', NETWORK),
    see: ({ body }) => valueIn(body, 'LoadBalancerArn').split('/')[1] ?? '',
  },
  {
    name: 'the VPC of a load balancer',
    given: [VPC, SUBNET],
    ask: elb('CreateLoadBalancer', NETWORK),
    see: ({ body }, { vpc }) => (valueIn(body, 'VpcId') === vpc ? 'its own' : 'another'),
  },
  {
    name: 'delete a load balancer that does not exist',
    ask: elb('DeleteLoadBalancer', { LoadBalancerArn: LOST_BALANCER }),
  },
  {
    name: 'delete a load balancer that is protected',
    given: [VPC, SUBNET, BALANCER, protect],
    ask: elb('DeleteLoadBalancer', { LoadBalancerArn: '{balancer}' }),
  },
  {
    name: 'delete a subnet with a load balancer',
    given: [VPC, SUBNET, BALANCER],
    ask: ec2('DeleteSubnet', { SubnetId: '{subnet}' }),
  },
  {
    name: 'an attribute that load balancers do not have',
    given: [VPC, SUBNET, BALANCER],
    ask: elb('ModifyLoadBalancerAttributes', {
      LoadBalancerArn: '{balancer}',
      'Attributes.member.1.Key': 'colour',
      'Attributes.member.1.Value': 'red',
    }),
  },
  {
    name: 'a target group, requested twice',
    given: [VPC, TARGET_GROUP],
    ask: elb('CreateTargetGroup', TARGETS),
    see: ({ body }, { targets }) => (valueIn(body, 'TargetGroupArn') === targets ? 'the same' : 'another'),
  },
  {
    name: 'another target group of the same name',
    given: [VPC, TARGET_GROUP],
    ask: elb('CreateTargetGroup', { ...TARGETS, Port: 6444 }),
  },
  {
    name: 'a target group that does not exist',
    ask: elb('DescribeTargetGroups', { 'TargetGroupArns.member.1': LOST_TARGETS }),
  },
  {
    name: 'the target groups of a load balancer without any',
    given: [VPC, SUBNET, BALANCER],
    ask: elb('DescribeTargetGroups', { LoadBalancerArn: '{balancer}' }),
    see: ({ body }) => (body.includes('<TargetGroupArn>') ? 'some' : 'none'),
  },
  { name: 'delete a target group in use', given: ALL, ask: elb('DeleteTargetGroup', { TargetGroupArn: '{targets}' }) },
  {
    name: 'delete a target group that does not exist',
    ask: elb('DeleteTargetGroup', { TargetGroupArn: LOST_TARGETS }),
  },
  { name: 'a listener on a port in use', given: ALL, ask: elb('CreateListener', LISTEN) },
  {
    name: 'another listener on a port in use',
    given: [...ALL, elb('CreateTargetGroup', { ...TARGETS, Name: '{unique}-2' }, { more: 'TargetGroupArn' })],
    ask: elb('CreateListener', { ...LISTEN, 'DefaultActions.member.1.TargetGroupArn': '{more}' }),
  },
  {
    name: 'a listener for a target group that does not exist',
    given: [VPC, SUBNET, BALANCER],
    ask: elb('CreateListener', { ...LISTEN, 'DefaultActions.member.1.TargetGroupArn': LOST_TARGETS }),
  },
  {
    name: 'a listener of no load balancer',
    given: [VPC, TARGET_GROUP],
    ask: elb('CreateListener', { ...LISTEN, LoadBalancerArn: LOST_BALANCER }),
  },
  {
    name: 'delete a listener that does not exist',
    ask: elb('DeleteListener', { ListenerArn: `${LOST_BALANCER.replace('loadbalancer', 'listener')}/${LOST}` }),
  },
  {
    name: 'a target that does not exist',
    given: [VPC, TARGET_GROUP],
    ask: elb('RegisterTargets', { TargetGroupArn: '{targets}', 'Targets.member.1.Id': `i-${LOST}0` }),
  },
  {
    name: 'deregister a target that is not registered',
    given: [VPC, SUBNET, INSTANCE, TARGET_GROUP],
    ask: elb('DeregisterTargets', { TargetGroupArn: '{targets}', 'Targets.member.1.Id': '{instance}' }),
  },
];
