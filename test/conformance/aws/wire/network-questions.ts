import { countIn, valueIn } from '../raw.ts';
import { ADDRESS, ASSOCIATED, ATTACHED, ec2, GATEWAY, NAT, SUBNET, TABLE, VPC } from './given.ts';
import type { Call, Question } from './question.ts';

const LOST = '0123456789abcdef0';

const ADDRESSES = ec2('DescribeAddresses', { 'AllocationId.1': '{allocation}' });
const associated: Question['see'] = ({ body }) => (valueIn(body, 'associationId') ? 'associated' : 'free');
const NAT_DELETED = ec2('DeleteNatGateway', { NatGatewayId: '{nat}' });
/** A deleted NAT gateway may still be listed for a while. */
const NAT_GONE: Call = {
  ...ec2('DescribeNatGateways', { 'Filter.1.Name': 'nat-gateway-id', 'Filter.1.Value.1': '{nat}' }),
  until: ({ body }) => ['', 'deleted'].includes(valueIn(body, 'state')),
};

export const NETWORK_QUESTIONS: readonly Question[] = [
  { name: 'a VPC that does not exist', ask: ec2('DescribeVpcs', { 'VpcId.1': `vpc-${LOST}` }) },
  { name: 'a VPC whose id is no id', ask: ec2('DescribeVpcs', { 'VpcId.1': 'nonsense' }) },
  { name: 'a VPC that is too large', ask: ec2('CreateVpc', { CidrBlock: '10.0.0.0/8' }) },
  { name: 'a VPC with an invalid block', ask: ec2('CreateVpc', { CidrBlock: 'ten' }) },
  { name: 'a VPC without a block', ask: ec2('CreateVpc') },
  { name: 'a call with an unknown name', ask: ec2('MakeCoffee') },
  { name: 'a dry run', ask: ec2('CreateVpc', { CidrBlock: '10.0.0.0/16', DryRun: 'true' }) },
  {
    name: 'a subnet outside of its VPC',
    given: [VPC],
    ask: ec2('CreateSubnet', { VpcId: '{vpc}', CidrBlock: '10.9.0.0/24' }),
  },
  {
    name: 'a subnet that overlaps with another',
    given: [VPC, SUBNET],
    ask: ec2('CreateSubnet', { VpcId: '{vpc}', CidrBlock: '10.0.0.0/20' }),
  },
  {
    name: 'a subnet in a VPC that does not exist',
    ask: ec2('CreateSubnet', { VpcId: `vpc-${LOST}`, CidrBlock: '10.0.0.0/24' }),
  },
  {
    name: 'a subnet in a zone that does not exist',
    given: [VPC],
    ask: ec2('CreateSubnet', { VpcId: '{vpc}', CidrBlock: '10.0.0.0/24', AvailabilityZone: 'us-east-1z' }),
  },
  { name: 'delete a subnet that does not exist', ask: ec2('DeleteSubnet', { SubnetId: `subnet-${LOST}` }) },
  { name: 'delete a VPC that does not exist', ask: ec2('DeleteVpc', { VpcId: `vpc-${LOST}` }) },
  { name: 'delete an empty VPC', given: [VPC], ask: ec2('DeleteVpc', { VpcId: '{vpc}' }) },
  { name: 'delete a VPC with a subnet', given: [VPC, SUBNET], ask: ec2('DeleteVpc', { VpcId: '{vpc}' }) },
  {
    name: 'delete a VPC with an internet gateway',
    given: [VPC, GATEWAY, ATTACHED],
    ask: ec2('DeleteVpc', { VpcId: '{vpc}' }),
  },
  { name: 'delete a VPC with a route table', given: [VPC, TABLE], ask: ec2('DeleteVpc', { VpcId: '{vpc}' }) },
  {
    name: 'an internet gateway that is attached twice',
    given: [VPC, GATEWAY, ATTACHED],
    ask: ec2('AttachInternetGateway', { InternetGatewayId: '{gateway}', VpcId: '{vpc}' }),
  },
  {
    name: 'a second internet gateway',
    given: [VPC, GATEWAY, ATTACHED, GATEWAY],
    ask: ec2('AttachInternetGateway', { InternetGatewayId: '{gateway}', VpcId: '{vpc}' }),
  },
  {
    name: 'detach an internet gateway that is not attached',
    given: [VPC, GATEWAY],
    ask: ec2('DetachInternetGateway', { InternetGatewayId: '{gateway}', VpcId: '{vpc}' }),
  },
  {
    name: 'detach an internet gateway under a NAT gateway',
    given: [VPC, SUBNET, GATEWAY, ATTACHED, ADDRESS, NAT],
    ask: ec2('DetachInternetGateway', { InternetGatewayId: '{gateway}', VpcId: '{vpc}' }),
  },
  {
    name: 'delete an internet gateway that is attached',
    given: [VPC, GATEWAY, ATTACHED],
    ask: ec2('DeleteInternetGateway', { InternetGatewayId: '{gateway}' }),
  },
  {
    name: 'delete an internet gateway that does not exist',
    ask: ec2('DeleteInternetGateway', { InternetGatewayId: `igw-${LOST}` }),
  },
  {
    name: 'a route that exists',
    given: [
      VPC,
      GATEWAY,
      ATTACHED,
      TABLE,
      ec2('CreateRoute', { RouteTableId: '{table}', DestinationCidrBlock: '0.0.0.0/0', GatewayId: '{gateway}' }),
    ],
    ask: ec2('CreateRoute', { RouteTableId: '{table}', DestinationCidrBlock: '0.0.0.0/0', GatewayId: '{gateway}' }),
  },
  {
    name: 'a route to an internet gateway that does not exist',
    given: [VPC, TABLE],
    ask: ec2('CreateRoute', {
      RouteTableId: '{table}',
      DestinationCidrBlock: '0.0.0.0/0',
      GatewayId: `igw-${LOST}`,
    }),
  },
  {
    name: 'a route to a NAT gateway that does not exist',
    given: [VPC, TABLE],
    ask: ec2('CreateRoute', {
      RouteTableId: '{table}',
      DestinationCidrBlock: '0.0.0.0/0',
      NatGatewayId: `nat-${LOST}`,
    }),
  },
  {
    name: 'delete a route that does not exist',
    given: [VPC, TABLE],
    ask: ec2('DeleteRoute', { RouteTableId: '{table}', DestinationCidrBlock: '0.0.0.0/0' }),
  },
  {
    name: 'delete a route table that is associated',
    given: [VPC, SUBNET, TABLE, ASSOCIATED],
    ask: ec2('DeleteRouteTable', { RouteTableId: '{table}' }),
  },
  {
    name: 'delete a route table that does not exist',
    ask: ec2('DeleteRouteTable', { RouteTableId: `rtb-${LOST}` }),
  },
  {
    name: 'delete the main route table',
    given: [
      VPC,
      ec2('DescribeRouteTables', { 'Filter.1.Name': 'vpc-id', 'Filter.1.Value.1': '{vpc}' }, { main: 'routeTableId' }),
    ],
    ask: ec2('DeleteRouteTable', { RouteTableId: '{main}' }),
  },
  {
    name: 'associate a subnet with a second route table',
    given: [VPC, SUBNET, TABLE, ASSOCIATED, TABLE],
    ask: ec2('AssociateRouteTable', { RouteTableId: '{table}', SubnetId: '{subnet}' }),
  },
  {
    name: 'associate a subnet with the same route table again',
    given: [VPC, SUBNET, TABLE, ASSOCIATED],
    ask: ec2('AssociateRouteTable', { RouteTableId: '{table}', SubnetId: '{subnet}' }),
    see: ({ body }, { association }) => (valueIn(body, 'associationId') === association ? 'the same' : 'another'),
  },
  {
    name: 'remove an association that does not exist',
    ask: ec2('DisassociateRouteTable', { AssociationId: `rtbassoc-${LOST}` }),
  },
  {
    name: 'release an address that a NAT gateway uses',
    given: [VPC, SUBNET, GATEWAY, ATTACHED, ADDRESS, NAT],
    ask: ec2('ReleaseAddress', { AllocationId: '{allocation}' }),
  },
  {
    name: 'release an address that does not exist',
    ask: ec2('ReleaseAddress', { AllocationId: `eipalloc-${LOST}` }),
  },
  {
    name: 'a NAT gateway with an address that does not exist',
    given: [VPC, SUBNET],
    ask: ec2('CreateNatGateway', { SubnetId: '{subnet}', AllocationId: `eipalloc-${LOST}`, ClientToken: '{unique}' }),
  },
  {
    name: 'a NAT gateway in a subnet that does not exist',
    given: [ADDRESS],
    ask: ec2('CreateNatGateway', { SubnetId: `subnet-${LOST}`, AllocationId: '{allocation}', ClientToken: '{unique}' }),
  },
  {
    name: 'a NAT gateway, requested twice with one token',
    given: [VPC, SUBNET, GATEWAY, ATTACHED, ADDRESS, NAT],
    ask: ec2('CreateNatGateway', { SubnetId: '{subnet}', AllocationId: '{allocation}', ClientToken: '{unique}' }),
    see: ({ body }, { nat }) => (valueIn(body, 'natGatewayId') === nat ? 'the same' : 'another'),
  },
  {
    name: 'delete a NAT gateway that does not exist',
    ask: ec2('DeleteNatGateway', { NatGatewayId: `nat-${LOST}` }),
  },
  {
    name: 'the address of a NAT gateway',
    given: [VPC, SUBNET, GATEWAY, ATTACHED, ADDRESS, NAT],
    ask: ADDRESSES,
    see: associated,
  },
  {
    name: 'the address of a NAT gateway that is deleted',
    given: [VPC, SUBNET, GATEWAY, ATTACHED, ADDRESS, NAT, NAT_DELETED, NAT_GONE],
    ask: ADDRESSES,
    see: associated,
  },
  { name: 'carrier gateways where there are none', ask: ec2('DescribeCarrierGateways') },
  {
    name: 'delete a subnet with a NAT gateway',
    given: [VPC, SUBNET, GATEWAY, ATTACHED, ADDRESS, NAT],
    ask: ec2('DeleteSubnet', { SubnetId: '{subnet}' }),
  },
  {
    name: 'subnets in pages of five',
    given: [
      VPC,
      ...[1, 2, 3, 4, 5, 6, 7].map((n) => ec2('CreateSubnet', { VpcId: '{vpc}', CidrBlock: `10.0.${n}.0/24` })),
    ],
    ask: ec2('DescribeSubnets', { 'Filter.1.Name': 'vpc-id', 'Filter.1.Value.1': '{vpc}', MaxResults: 5 }),
    see: ({ body }) => `${countIn(body, 'subnetId')}, ${valueIn(body, 'nextToken') ? 'and more' : 'no more'}`,
  },
  { name: 'pages of three', ask: ec2('DescribeSubnets', { MaxResults: 3 }) },
  { name: 'an unknown page token', ask: ec2('DescribeSubnets', { MaxResults: 5, NextToken: 'nonsense' }) },
];
