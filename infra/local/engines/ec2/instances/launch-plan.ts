/** The content of a RunInstances request, validated by EC2's rules before anything is created. */
import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, notSimulated, onlySimulated } from '../../wire/fault.ts';
import { type KnownImage, launchableImage } from '../images/known-images.ts';
import type { Subnet } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagsFor } from '../tags.ts';
import { checkHost } from './dedicated-hosts.ts';
import { checkOptions } from './launch-options.ts';
import { type InstanceTypeFacts, instanceTypeFacts, isOffered } from './types.ts';
import { planVolumes, type VolumePlan } from './volumes.ts';

/** The limit for user data before it is encoded. */
export const USER_DATA_BYTES = 16_384;
const TAGGED: sdk.ResourceType[] = ['instance', 'volume', 'network-interface', 'spot-instances-request'];

const KNOWN: readonly (keyof sdk.RunInstancesRequest)[] = [
  'BlockDeviceMappings',
  'CapacityReservationSpecification',
  'ClientToken',
  'CpuOptions',
  'DisableApiTermination',
  'EbsOptimized',
  'IamInstanceProfile',
  'ImageId',
  'InstanceMarketOptions',
  'InstanceType',
  'KeyName',
  'MaxCount',
  'MetadataOptions',
  'MinCount',
  'Monitoring',
  'NetworkInterfaces',
  'Placement',
  'PrivateDnsNameOptions',
  'PrivateIpAddress',
  'SecurityGroupIds',
  'SubnetId',
  'TagSpecifications',
  'UserData',
];

export interface LaunchPlan {
  readonly count: number;
  readonly image: KnownImage;
  readonly type: InstanceTypeFacts;
  readonly subnet: Subnet;
  readonly groupIds: readonly string[];
  readonly privateIp: string | undefined;
  readonly publicIp: boolean;
  /** Undefined if the subnet decides. */
  readonly hasIpv6: boolean | undefined;
  readonly hasPrimaryIpv6: boolean;
  readonly volumes: readonly VolumePlan[];
  readonly isSpot: boolean;
  readonly tags: Readonly<Record<'instance' | 'volume' | 'network-interface', ReadonlyMap<string, string>>>;
}

const countsOf = ({ MinCount = 0, MaxCount = 0 }: sdk.RunInstancesRequest): number => {
  if (MinCount < 1 || MaxCount < MinCount)
    throw new AwsFault(
      'InvalidParameterValue',
      `Invalid value '${MaxCount}' for instanceCount. Must be at least 1 and not less than the minimum.`,
    );
  return MaxCount;
};

const checkUserData = (userData: string | undefined): void => {
  if (userData === undefined) return;
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(userData))
    throw new AwsFault('InvalidParameterValue', 'Invalid BASE64 encoding of user data.');
  if (Buffer.from(userData, 'base64').length > USER_DATA_BYTES)
    throw new AwsFault('InvalidParameterValue', `User data is limited to ${USER_DATA_BYTES} bytes`);
};

const typeOf = (name: string, image: KnownImage): InstanceTypeFacts => {
  const facts = instanceTypeFacts(name);
  if (!facts) throw new AwsFault('InvalidParameterValue', `Invalid value '${name}' for InstanceType.`);
  if (facts.architecture !== image.architecture)
    throw new AwsFault(
      'InvalidParameterValue',
      `The architecture '${facts.architecture}' of the specified instance type does not match the architecture '${image.architecture}' of the specified AMI. Specify an instance type and an AMI that have matching architectures, and try again.`,
    );
  return facts;
};

/** The network interface that a request may describe instead of the flat parameters. */
const interfaceOf = (input: sdk.RunInstancesRequest): sdk.InstanceNetworkInterfaceSpecification => {
  const [first, ...others] = input.NetworkInterfaces ?? [];
  if (!first)
    return { SubnetId: input.SubnetId, Groups: input.SecurityGroupIds, PrivateIpAddress: input.PrivateIpAddress };
  if (others.length > 0) throw notSimulated('an instance with several network interfaces');
  if (input.SecurityGroupIds?.length || input.SubnetId)
    throw new AwsFault(
      'InvalidParameterCombination',
      'Network interfaces and an instance-level subnet ID or security groups may not be specified on the same request',
    );
  onlySimulated('ec2:RunInstances NetworkInterfaces', first, [
    'AssociatePublicIpAddress',
    'DeleteOnTermination',
    'Description',
    'DeviceIndex',
    'Groups',
    'InterfaceType',
    'Ipv6AddressCount',
    'PrimaryIpv6',
    'PrivateIpAddress',
    'SubnetId',
  ]);
  return first;
};

const subnetOf = (ec2: Ec2, id: string | undefined, zone: string | undefined): Subnet => {
  const subnets = ec2.subnets.all().filter(({ isDefault }) => isDefault);
  const subnet = id ? ec2.subnets.get(id) : subnets.find((one) => zone === undefined || one.zone === zone);
  if (!subnet) throw new AwsFault('MissingInput', 'No subnets found for the default VPC. Please specify a subnet.');
  if (zone !== undefined && subnet.zone !== zone)
    throw new AwsFault(
      'InvalidParameterValue',
      `The availability zone '${zone}' is not that of subnet '${subnet.id}', '${subnet.zone}'`,
    );
  return subnet;
};

const groupsOf = (ec2: Ec2, ids: readonly string[] | undefined, subnet: Subnet): string[] => {
  if (!ids?.length) {
    const isDefault = ({ vpcId, name }: { vpcId: string; name: string }) =>
      vpcId === subnet.vpcId && name === 'default';
    return ec2.securityGroups
      .all()
      .filter(isDefault)
      .map(({ id }) => id);
  }
  for (const id of ids)
    if (ec2.securityGroups.get(id).vpcId !== subnet.vpcId)
      throw new AwsFault(
        'InvalidParameter',
        `Security group ${id} and subnet ${subnet.id} belong to different networks.`,
      );
  return [...ids];
};

const checkKey = (ec2: Ec2, name: string | undefined): void => {
  if (name !== undefined && !ec2.keyPairs.all().some((pair) => pair.name === name))
    throw new AwsFault('InvalidKeyPair.NotFound', `The key pair '${name}' does not exist`);
};

const checkZone = (ec2: Ec2, type: string, zone: string): void => {
  if (!isOffered(zone, type))
    throw new AwsFault(
      'Unsupported',
      `Your requested instance type (${type}) is not supported in your requested Availability Zone (${zone}).`,
    );
  const isGap = ec2.settings.capacityGaps.some(
    (gap) => (gap.zone ?? zone) === zone && (gap.instanceType ?? type) === type,
  );
  if (isGap)
    throw new AwsFault(
      'InsufficientInstanceCapacity',
      `We currently do not have sufficient ${type} capacity in the Availability Zone you requested (${zone}). Our system will be working on provisioning additional capacity.`,
      500,
    );
};

const checkInterface = (wanted: sdk.InstanceNetworkInterfaceSpecification, subnet: Subnet): void => {
  if ((wanted.InterfaceType ?? 'interface') !== 'interface')
    throw notSimulated(`an interface of type ${wanted.InterfaceType}`);
  if ((wanted.Ipv6AddressCount || wanted.PrimaryIpv6) && !subnet.ipv6)
    throw new AwsFault('InvalidParameterValue', `The subnet '${subnet.id}' has no IPv6 CIDR block.`);
};

/** Validates a request and plans its launch. Throws EC2's fault; nothing is changed. */
export const planLaunch = (ec2: Ec2, input: sdk.RunInstancesRequest): LaunchPlan => {
  onlySimulated('ec2:RunInstances', input, KNOWN);
  checkOptions(ec2, input);
  const count = countsOf(input);
  const image = launchableImage(ec2, input.ImageId ?? '');
  const type = typeOf(input.InstanceType ?? 'm1.small', image);
  checkUserData(input.UserData);
  checkKey(ec2, input.KeyName);
  const wanted = interfaceOf(input);
  const subnet = subnetOf(ec2, wanted.SubnetId, input.Placement?.AvailabilityZone);
  if (wanted.PrivateIpAddress && count > 1)
    throw new AwsFault('InvalidParameterCombination', 'A private IP address may be specified for one instance only');
  const groupIds = groupsOf(ec2, wanted.Groups, subnet);
  checkInterface(wanted, subnet);
  checkZone(ec2, type.name, subnet.zone);
  checkHost(ec2, input.Placement, { type: type.name, zone: subnet.zone, vcpus: type.vcpus * count });
  return {
    count,
    image,
    type,
    subnet,
    groupIds,
    privateIp: wanted.PrivateIpAddress,
    publicIp: wanted.AssociatePublicIpAddress ?? subnet.mapPublicIp,
    hasIpv6: wanted.Ipv6AddressCount === undefined ? undefined : wanted.Ipv6AddressCount > 0,
    hasPrimaryIpv6: wanted.PrimaryIpv6 === true,
    volumes: planVolumes(image, input.BlockDeviceMappings),
    isSpot: input.InstanceMarketOptions?.MarketType === 'spot',
    tags: {
      instance: tagsFor(input.TagSpecifications, 'instance', TAGGED),
      volume: tagsFor(input.TagSpecifications, 'volume', TAGGED),
      'network-interface': tagsFor(input.TagSpecifications, 'network-interface', TAGGED),
    },
  };
};
