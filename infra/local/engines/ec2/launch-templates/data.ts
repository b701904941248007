/** The launch parameters in a version of a template. */
import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, notSimulated, onlySimulated } from '../../wire/fault.ts';
import { USER_DATA_BYTES } from '../instances/launch-plan.ts';
import { tagsFor } from '../tags.ts';

const KNOWN: readonly (keyof sdk.RequestLaunchTemplateData)[] = [
  'BlockDeviceMappings',
  'CapacityReservationSpecification',
  'CpuOptions',
  'DisableApiTermination',
  'EbsOptimized',
  'IamInstanceProfile',
  'ImageId',
  'InstanceMarketOptions',
  'InstanceType',
  'KeyName',
  'MetadataOptions',
  'Monitoring',
  'NetworkInterfaces',
  'Placement',
  'PrivateDnsNameOptions',
  'SecurityGroupIds',
  'TagSpecifications',
  'UserData',
];

const TAGGED: sdk.ResourceType[] = ['instance', 'volume', 'network-interface', 'spot-instances-request'];

const checkUserData = (userData: string | undefined): void => {
  if (userData === undefined) return;
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(userData))
    throw new AwsFault('InvalidUserData.Malformed', 'Invalid BASE64 encoding of user data.');
  if (Buffer.from(userData, 'base64').length > USER_DATA_BYTES)
    throw new AwsFault('InvalidUserData.Malformed', `User data is limited to ${USER_DATA_BYTES} bytes`);
};

const isEmpty = (data: object): boolean => Object.values(data).every((value) => value === undefined);

/**
 * Validates what EC2 validates when a version is created: the form of the parameters. Whether images, groups and
 * subnets exist is checked only at a launch.
 */
export const checkData = (data: sdk.RequestLaunchTemplateData | undefined): sdk.RequestLaunchTemplateData => {
  if (!data || isEmpty(data))
    throw new AwsFault('MissingParameter', 'The request must contain the parameter LaunchTemplateData');
  onlySimulated('ec2:LaunchTemplateData', data, KNOWN);
  if (data.ImageId?.startsWith('resolve:ssm:')) throw notSimulated('an image that is given as an SSM parameter');
  checkUserData(data.UserData);
  for (const type of TAGGED) tagsFor(data.TagSpecifications, type, TAGGED);
  if (data.NetworkInterfaces?.length && data.SecurityGroupIds?.length)
    throw new AwsFault(
      'InvalidParameterCombination',
      'Network interfaces and an instance-level security groups may not be specified on the same request',
    );
  return data;
};

/** Snapshots of a source version are not inherited. */
const withoutSnapshots = (mappings: sdk.LaunchTemplateBlockDeviceMappingRequest[] | undefined) =>
  mappings?.map(({ Ebs, ...mapping }) => {
    const { SnapshotId: _, ...ebs } = Ebs ?? {};
    return Ebs ? { ...mapping, Ebs: ebs } : mapping;
  });

/**
 * The data of a version that is based on another one: parameters in the call completely replace those of the source.
 * Source: the reference of CreateLaunchTemplateVersion, SourceVersion.
 */
export const inherit = (
  source: sdk.RequestLaunchTemplateData,
  own: sdk.RequestLaunchTemplateData,
): sdk.RequestLaunchTemplateData => {
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  const BlockDeviceMappings = withoutSnapshots(source.BlockDeviceMappings);
  return { ...source, ...(BlockDeviceMappings ? { BlockDeviceMappings } : {}), ...given };
};
