import { PUBLISHED } from '../images.ts';
import { countIn, valueIn } from '../raw.ts';
import { ec2, GROUP, INSTANCE, RUN, SUBNET, VPC } from './given.ts';
import type { Question } from './question.ts';

const LOST = '0123456789abcdef0';
const LOST_IMAGE = 'ami-0fedcba9876543211';
const OTHER_VPC = ec2('CreateVpc', { CidrBlock: '10.1.0.0/16' }, { vpc: 'vpcId' });
const TERMINATED = ec2('TerminateInstances', { 'InstanceId.1': '{instance}' });

const run = (change: Record<string, unknown>) => ec2('RunInstances', { ...RUN, ...change });

export const INSTANCE_QUESTIONS: readonly Question[] = [
  {
    name: 'a launch, requested twice with one token',
    given: [VPC, SUBNET, INSTANCE],
    ask: run({}),
    see: ({ body }, { instance }) => (valueIn(body, 'instanceId') === instance ? 'the same' : 'another'),
  },
  {
    name: 'another launch with a token that was used',
    given: [VPC, SUBNET, INSTANCE],
    ask: run({ InstanceType: 't3.large' }),
  },
  {
    name: 'the images that the AWS provider publishes',
    ask: ec2('DescribeImages', { 'Owner.1': PUBLISHED.owner_id }),
    see: ({ body }) => (body.includes('<imageId>') ? 'some' : 'none'),
  },
  {
    name: 'the images that the AWS provider publishes, deprecated ones too',
    ask: ec2('DescribeImages', { 'Owner.1': PUBLISHED.owner_id, IncludeDeprecated: true }),
    see: ({ body }) => (body.includes('<imageId>') ? 'some' : 'none'),
  },
  {
    name: 'the image of a filter by an id that does not exist',
    ask: ec2('DescribeImages', {
      ...{ 'Filter.1.Name': 'image-id', 'Filter.1.Value.1': LOST_IMAGE },
      ...{ IncludeDeprecated: true, IncludeDisabled: true },
    }),
    see: ({ body }) => (body.includes('<imageId>') ? 'some' : 'none'),
  },
  {
    name: 'a copy of an image',
    ask: ec2('CopyImage', { Name: '{unique}', SourceImageId: '{image}', SourceRegion: 'us-east-1', Encrypted: true }),
  },
  {
    name: 'a copy of an image that does not exist',
    ask: ec2('CopyImage', { Name: '{unique}', SourceImageId: LOST_IMAGE, SourceRegion: 'us-east-1' }),
  },
  { name: 'a launch of an image that does not exist', given: [VPC, SUBNET], ask: run({ ImageId: LOST_IMAGE }) },
  { name: 'a launch in a subnet that does not exist', ask: run({ SubnetId: `subnet-${LOST}` }) },
  { name: 'a launch of a type that does not exist', given: [VPC, SUBNET], ask: run({ InstanceType: 't9.huge' }) },
  { name: 'a launch with a key pair that does not exist', given: [VPC, SUBNET], ask: run({ KeyName: 'lost' }) },
  {
    name: 'a launch with a security group that does not exist',
    given: [VPC, SUBNET],
    ask: run({ 'SecurityGroupId.1': `sg-${LOST}` }),
  },
  {
    name: 'a launch with the security group of another VPC',
    given: [
      VPC,
      GROUP,
      OTHER_VPC,
      ec2('CreateSubnet', { VpcId: '{vpc}', CidrBlock: '10.1.1.0/24' }, { subnet: 'subnetId' }),
    ],
    ask: run({ 'SecurityGroupId.1': '{group}' }),
  },
  { name: 'a launch of fewer than one instance', given: [VPC, SUBNET], ask: run({ MinCount: 2, MaxCount: 1 }) },
  {
    name: 'the zone of an instance is that of its subnet',
    given: [
      VPC,
      ec2(
        'CreateSubnet',
        { VpcId: '{vpc}', CidrBlock: '10.0.1.0/24', AvailabilityZone: 'us-east-1b' },
        { subnet: 'subnetId' },
      ),
    ],
    ask: run({}),
    see: ({ body }) => valueIn(body, 'availabilityZone'),
  },
  {
    name: 'subnet and groups of the network interface of a launch',
    given: [VPC, SUBNET, GROUP],
    ask: ec2('RunInstances', {
      ...Object.fromEntries(Object.entries(RUN).filter(([name]) => name !== 'SubnetId')),
      'NetworkInterface.1.DeviceIndex': 0,
      'NetworkInterface.1.SubnetId': '{subnet}',
      'NetworkInterface.1.SecurityGroupId.1': '{group}',
    }),
    see: ({ body }, { subnet, group }) =>
      valueIn(body, 'subnetId') === subnet && body.includes(`<groupId>${group}</groupId>`) ? 'kept' : 'lost',
  },
  {
    name: 'the user data of an instance',
    given: [VPC, SUBNET, { ...INSTANCE, input: { ...RUN, UserData: 'aGVsbG8=' } }],
    ask: ec2('DescribeInstanceAttribute', { InstanceId: '{instance}', Attribute: 'userData' }),
    see: ({ body }) => (body.includes('aGVsbG8=') ? 'kept' : 'lost'),
  },
  {
    name: 'the root volume that a launch requests',
    given: [
      VPC,
      SUBNET,
      {
        ...INSTANCE,
        input: {
          ...RUN,
          'BlockDeviceMapping.1.DeviceName': '{root}',
          'BlockDeviceMapping.1.Ebs.VolumeSize': 40,
          'BlockDeviceMapping.1.Ebs.VolumeType': 'gp3',
          'BlockDeviceMapping.1.Ebs.Encrypted': 'true',
        },
      },
    ],
    ask: ec2('DescribeVolumes', { 'Filter.1.Name': 'attachment.instance-id', 'Filter.1.Value.1': '{instance}' }),
    see: ({ body }) => ['size', 'volumeType', 'encrypted'].map((name) => valueIn(body, name)).join(' '),
  },
  {
    name: 'terminate an instance that does not exist',
    ask: ec2('TerminateInstances', { 'InstanceId.1': `i-${LOST}` }),
  },
  { name: 'terminate a malformed id', ask: ec2('TerminateInstances', { 'InstanceId.1': 'nonsense' }) },
  { name: 'terminate an instance twice', given: [VPC, SUBNET, INSTANCE, TERMINATED], ask: TERMINATED },
  {
    name: 'start an instance that is terminated',
    given: [VPC, SUBNET, INSTANCE, TERMINATED],
    ask: ec2('StartInstances', { 'InstanceId.1': '{instance}' }),
  },
  {
    name: 'what is left to see of a terminated instance',
    given: [VPC, SUBNET, INSTANCE, TERMINATED],
    ask: ec2('DescribeInstances', { 'InstanceId.1': '{instance}' }),
    see: ({ body }) => String(countIn(body, 'instanceId')),
  },
  { name: 'an instance that does not exist', ask: ec2('DescribeInstances', { 'InstanceId.1': `i-${LOST}` }) },
  {
    name: 'delete a subnet with an instance',
    given: [VPC, SUBNET, INSTANCE],
    ask: ec2('DeleteSubnet', { SubnetId: '{subnet}' }),
  },
  { name: 'an image that does not exist', ask: ec2('DescribeImages', { 'ImageId.1': LOST_IMAGE }) },
  {
    name: 'an instance type that does not exist',
    ask: ec2('DescribeInstanceTypes', { 'InstanceType.1': 't9.huge' }),
  },
];
