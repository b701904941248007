import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, notSimulated, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import type { FilterFields } from '../filters.ts';
import type { KnownImage } from '../images/known-images.ts';
import { KINDS } from '../kinds.ts';
import { describe } from '../pages.ts';
import type { Volume } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagList, tagsFor } from '../tags.ts';

/** A volume of a launch, after validation. */
export type VolumePlan = Pick<
  Volume,
  | 'device'
  | 'sizeGib'
  | 'volumeType'
  | 'encrypted'
  | 'iops'
  | 'throughput'
  | 'kmsKeyId'
  | 'snapshotId'
  | 'deleteOnTermination'
>;

export const ROOT_DEVICE = '/dev/sda1';

const invalid = (message: string): AwsFault => new AwsFault('InvalidBlockDeviceMapping', message);

const checkPerformance = ({ VolumeType = 'gp3', Iops, Throughput }: sdk.EbsBlockDevice): void => {
  if ((VolumeType === 'io1' || VolumeType === 'io2') && Iops === undefined)
    throw new AwsFault('MissingParameter', `The parameter iops must be specified for ${VolumeType} volumes.`);
  if (Throughput !== undefined && VolumeType !== 'gp3')
    throw new AwsFault(
      'InvalidParameterCombination',
      `The parameter Throughput is not supported for ${VolumeType} volumes.`,
    );
};

const EBS_KNOWN = ['DeleteOnTermination', 'Encrypted', 'Iops', 'KmsKeyId', 'Throughput', 'VolumeSize', 'VolumeType'];

const planOf = (mapping: sdk.BlockDeviceMapping, root: VolumePlan): VolumePlan => {
  const { DeviceName = '', Ebs = {}, ...others } = mapping;
  if (Object.values(others).some((value) => value !== undefined))
    throw invalid(`The mapping of ${DeviceName} asks for what is not simulated: only EBS volumes are`);
  onlySimulated('ec2:RunInstances BlockDeviceMappings', Ebs, EBS_KNOWN);
  if (Ebs.DeleteOnTermination === false) throw notSimulated('a volume that outlives its instance');
  checkPerformance(Ebs);
  const isRoot = DeviceName === root.device;
  const least = isRoot ? root.sizeGib : 1;
  const sizeGib = Ebs.VolumeSize ?? (isRoot ? root.sizeGib : 0);
  if (sizeGib < least)
    throw invalid(
      isRoot
        ? `Volume of size ${sizeGib}GB is smaller than snapshot '${root.snapshotId}', expect size >= ${least}GB`
        : `The mapping of ${DeviceName} needs a volume size`,
    );
  return {
    device: DeviceName,
    sizeGib,
    volumeType: Ebs.VolumeType ?? 'gp3',
    // A volume of an encrypted snapshot is encrypted, whatever the mapping says.
    encrypted: Ebs.Encrypted === true || (isRoot && root.encrypted),
    iops: Ebs.Iops,
    throughput: Ebs.Throughput,
    kmsKeyId: Ebs.KmsKeyId,
    snapshotId: isRoot ? root.snapshotId : undefined,
    deleteOnTermination: true,
  };
};

/** The volumes of an instance: the image's root volume, changed and extended by the mappings in the request. */
export const planVolumes = (image: KnownImage, mappings: readonly sdk.BlockDeviceMapping[] = []): VolumePlan[] => {
  const root: VolumePlan = {
    device: ROOT_DEVICE,
    sizeGib: image.rootSizeGib,
    volumeType: 'gp3',
    encrypted: image.isEncrypted,
    iops: undefined,
    throughput: undefined,
    kmsKeyId: undefined,
    snapshotId: image.snapshotId,
    deleteOnTermination: true,
  };
  const plans = mappings.map((mapping) => planOf(mapping, root));
  return plans.some(({ device }) => device === root.device) ? plans : [root, ...plans];
};

/** Creates the volumes of a new instance. */
export const addVolumes = (
  ec2: Ec2,
  instance: { readonly id: string; readonly zone: string },
  plans: readonly VolumePlan[],
  tags: ReadonlyMap<string, string>,
): void => {
  for (const plan of plans)
    ec2.volumes.add({
      ...ec2.born(KINDS.volume, tags),
      ...plan,
      zone: instance.zone,
      instanceId: instance.id,
      releasedAt: undefined,
    });
};

/** The volumes that are attached to an instance. */
export const volumesOf = (ec2: Ec2, instanceId: string): Volume[] => ec2.volumes.of(instanceId);

/** Attaches a volume to an instance. Only tests use it; no call does this. */
export const attach = (ec2: Ec2, { id }: Pick<Volume, 'id'>, instanceId: string | undefined): void => {
  const volume = ec2.volumes.get(id);
  ec2.volumes.remove(id);
  ec2.volumes.add({ ...volume, instanceId });
};

/** Releases a volume that outlives its instance. */
export const detach = (ec2: Ec2, volume: Volume): void => attach(ec2, volume, undefined);

const stateOf = ({ instanceId }: Volume): sdk.VolumeState => (instanceId === undefined ? 'available' : 'in-use');

const fields: FilterFields<Volume> = {
  'volume-id': ({ id }) => id,
  'availability-zone': ({ zone }) => zone,
  'attachment.instance-id': ({ instanceId }) => instanceId,
  'attachment.device': ({ device }) => device,
  'volume-type': ({ volumeType }) => volumeType,
  encrypted: ({ encrypted }) => encrypted,
  size: ({ sizeGib }) => sizeGib,
  status: stateOf,
};

const attachments = (volume: Volume): sdk.VolumeAttachment[] =>
  volume.instanceId === undefined
    ? []
    : [
        {
          VolumeId: volume.id,
          InstanceId: volume.instanceId,
          Device: volume.device,
          State: 'attached',
          DeleteOnTermination: volume.deleteOnTermination,
          AttachTime: new Date(volume.createdAt),
        },
      ];

const view = (volume: Volume): sdk.Volume => ({
  VolumeId: volume.id,
  AvailabilityZone: volume.zone,
  CreateTime: new Date(volume.createdAt),
  Size: volume.sizeGib,
  VolumeType: volume.volumeType,
  Encrypted: volume.encrypted,
  KmsKeyId: volume.kmsKeyId,
  Iops: volume.iops,
  Throughput: volume.throughput,
  SnapshotId: volume.snapshotId,
  State: stateOf(volume),
  Attachments: attachments(volume),
  Tags: tagList(volume.tags),
});

const create = (ec2: Ec2, input: sdk.CreateVolumeRequest): Volume => {
  const known = [
    'AvailabilityZone',
    'Size',
    'VolumeType',
    'Encrypted',
    'Iops',
    'Throughput',
    'KmsKeyId',
    'TagSpecifications',
    'ClientToken',
  ];
  onlySimulated('ec2:CreateVolume', input, known);
  const { AvailabilityZone: zone, Size: sizeGib, ClientToken: token = '' } = input;
  const before = ec2.volumes.find(ec2.volumeTokens.get(token) ?? '');
  if (before) return before;
  if (!zone) throw new AwsFault('MissingParameter', 'The request must contain the parameter AvailabilityZone');
  if (!sizeGib) throw new AwsFault('MissingParameter', 'The request must contain the parameter size or snapshotId');
  const made = ec2.volumes.add({
    ...ec2.born(KINDS.volume, tagsFor(input.TagSpecifications, 'volume')),
    ...{ zone, sizeGib, device: '', instanceId: undefined, snapshotId: undefined, deleteOnTermination: false },
    volumeType: input.VolumeType ?? 'gp2',
    encrypted: input.Encrypted ?? false,
    iops: input.Iops,
    throughput: input.Throughput,
    kmsKeyId: input.KmsKeyId,
    releasedAt: undefined,
  });
  if (token !== '') ec2.volumeTokens.set(token, made.id);
  return made;
};

/** Volumes of instances, which are deleted with them, and others, which only tests attach. There are no snapshots. */
export const volumeActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  GetEbsDefaultKmsKeyId: () => ({ KmsKeyId: ec2.settings.defaultVolumeKey ?? 'alias/aws/ebs' }),
  CreateVolume: (input) => view(create(ec2, input)),
  DeleteVolume: ({ VolumeId }) => {
    const { id, instanceId } = ec2.volumes.get(VolumeId);
    if (instanceId !== undefined)
      throw new AwsFault('VolumeInUse', `Volume ${id} is currently attached to ${instanceId}`);
    ec2.volumes.remove(id);
    return {};
  },
  DescribeVolumes: ({ VolumeIds, Filters, MaxResults, NextToken }) => {
    const question = { ids: VolumeIds, filters: Filters, maxResults: MaxResults, nextToken: NextToken };
    const { rows, nextToken } = describe(ec2.volumes, question, fields);
    return { Volumes: rows.map(view), NextToken: nextToken };
  },
});
