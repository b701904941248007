import { countIn } from '../raw.ts';
import { ec2, GROUP, INSTANCE, OTHER_GROUP, RULE, RULE_FROM_GROUP, SUBNET, VPC } from './given.ts';
import type { Question } from './question.ts';

const LOST = '0123456789abcdef0';
const PAIR = 'c3NoLXJzYSBBQUFBQjNOemFDMXljMkVBQUFBREFRQUJBQUFBZ1FDcUdLdWt';

const tagged = (resource: string, key: string, value: string) => ({
  'TagSpecification.1.ResourceType': resource,
  'TagSpecification.1.Tag.1.Key': key,
  'TagSpecification.1.Tag.1.Value': value,
});

export const GROUP_QUESTIONS: readonly Question[] = [
  {
    name: 'a security group that exists',
    given: [VPC, GROUP],
    ask: ec2('CreateSecurityGroup', { VpcId: '{vpc}', GroupName: 'one', GroupDescription: 'again' }),
  },
  {
    name: 'a security group named default',
    given: [VPC],
    ask: ec2('CreateSecurityGroup', { VpcId: '{vpc}', GroupName: 'default', GroupDescription: 'x' }),
  },
  {
    name: 'a security group named like an id',
    given: [VPC],
    ask: ec2('CreateSecurityGroup', { VpcId: '{vpc}', GroupName: 'sg-mine', GroupDescription: 'x' }),
  },
  {
    name: 'a security group in a VPC that does not exist',
    ask: ec2('CreateSecurityGroup', { VpcId: `vpc-${LOST}`, GroupName: 'one', GroupDescription: 'x' }),
  },
  {
    name: 'delete the default security group',
    given: [
      VPC,
      ec2('DescribeSecurityGroups', { 'Filter.1.Name': 'vpc-id', 'Filter.1.Value.1': '{vpc}' }, { main: 'groupId' }),
    ],
    ask: ec2('DeleteSecurityGroup', { GroupId: '{main}' }),
  },
  {
    name: 'delete a security group that a rule names',
    given: [VPC, GROUP, OTHER_GROUP, ec2('AuthorizeSecurityGroupIngress', RULE_FROM_GROUP)],
    ask: ec2('DeleteSecurityGroup', { GroupId: '{group}' }),
  },
  {
    name: 'delete a security group of an instance',
    given: [VPC, SUBNET, GROUP, { ...INSTANCE, input: { ...INSTANCE.input, 'SecurityGroupId.1': '{group}' } }],
    ask: ec2('DeleteSecurityGroup', { GroupId: '{group}' }),
  },
  { name: 'delete a security group that does not exist', ask: ec2('DeleteSecurityGroup', { GroupId: `sg-${LOST}` }) },
  { name: 'delete a VPC with a security group', given: [VPC, GROUP], ask: ec2('DeleteVpc', { VpcId: '{vpc}' }) },
  {
    name: 'a rule that exists',
    given: [VPC, GROUP, ec2('AuthorizeSecurityGroupIngress', RULE)],
    ask: ec2('AuthorizeSecurityGroupIngress', RULE),
  },
  {
    name: 'remove a rule that does not exist',
    given: [VPC, GROUP],
    ask: ec2('RevokeSecurityGroupIngress', RULE),
  },
  {
    name: 'a rule from a security group that does not exist',
    given: [VPC, GROUP],
    ask: ec2('AuthorizeSecurityGroupIngress', {
      ...RULE_FROM_GROUP,
      GroupId: '{group}',
      'IpPermissions.1.Groups.1.GroupId': `sg-${LOST}`,
    }),
  },
  {
    name: 'a rule from an invalid block',
    given: [VPC, GROUP],
    ask: ec2('AuthorizeSecurityGroupIngress', { ...RULE, 'IpPermissions.1.IpRanges.1.CidrIp': 'ten' }),
  },
  {
    name: 'a rule whose block has bits beyond its length',
    given: [
      VPC,
      GROUP,
      ec2('AuthorizeSecurityGroupIngress', { ...RULE, 'IpPermissions.1.IpRanges.1.CidrIp': '10.0.0.9/16' }),
    ],
    ask: ec2('DescribeSecurityGroups', { 'GroupId.1': '{group}' }),
    see: ({ body }) => /<cidrIp>(10[^<]*)<\/cidrIp>/.exec(body)?.[1] ?? 'none',
  },
  {
    name: 'a rule of no security group',
    ask: ec2('AuthorizeSecurityGroupIngress', { ...RULE, GroupId: `sg-${LOST}` }),
  },
  {
    name: 'tags of a VPC that does not exist',
    ask: ec2('CreateTags', { 'ResourceId.1': `vpc-${LOST}`, 'Tag.1.Key': 'a', 'Tag.1.Value': 'b' }),
  },
  {
    name: 'a tag that is reserved for AWS',
    given: [VPC],
    ask: ec2('CreateTags', { 'ResourceId.1': '{vpc}', 'Tag.1.Key': 'aws:a', 'Tag.1.Value': 'b' }),
  },
  {
    name: 'tags for a different type of resource than is created',
    ask: ec2('CreateVpc', { CidrBlock: '10.0.0.0/16', ...tagged('subnet', 'a', 'b') }),
  },
  {
    name: 'VPCs by the value of a tag',
    given: [ec2('CreateVpc', { CidrBlock: '10.0.0.0/16', ...tagged('vpc', 'owner', '{unique}') })],
    ask: ec2('DescribeVpcs', { 'Filter.1.Name': 'tag:owner', 'Filter.1.Value.1': '{unique}' }),
    see: ({ body }) => String(countIn(body, 'vpcId')),
  },
  {
    name: 'VPCs by a wildcard',
    given: [ec2('CreateVpc', { CidrBlock: '10.0.0.0/16', ...tagged('vpc', 'owner', '{unique}-tail') })],
    ask: ec2('DescribeVpcs', { 'Filter.1.Name': 'tag:owner', 'Filter.1.Value.1': '{unique}-t*' }),
    see: ({ body }) => String(countIn(body, 'vpcId')),
  },
  {
    name: 'VPCs by the key of a tag',
    given: [ec2('CreateVpc', { CidrBlock: '10.0.0.0/16', ...tagged('vpc', '{unique}', 'x') })],
    ask: ec2('DescribeVpcs', { 'Filter.1.Name': 'tag-key', 'Filter.1.Value.1': '{unique}' }),
    see: ({ body }) => String(countIn(body, 'vpcId')),
  },
  {
    name: 'VPCs by an unknown filter',
    ask: ec2('DescribeVpcs', { 'Filter.1.Name': 'colour', 'Filter.1.Value.1': 'red' }),
  },
  { name: 'delete a key pair that does not exist', ask: ec2('DeleteKeyPair', { KeyName: 'lost' }) },
  {
    name: 'a key pair that exists',
    given: [ec2('CreateKeyPair', { KeyName: '{unique}' })],
    ask: ec2('CreateKeyPair', { KeyName: '{unique}' }),
  },
  { name: 'an invalid key', ask: ec2('ImportKeyPair', { KeyName: '{unique}', PublicKeyMaterial: PAIR }) },
];
