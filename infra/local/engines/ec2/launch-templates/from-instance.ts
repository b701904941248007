import type * as sdk from '@aws-sdk/client-ec2';
import { volumesOf } from '../instances/volumes.ts';
import type { Instance } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagList } from '../tags.ts';

const volumeViews = (ec2: Ec2, { id }: Instance): sdk.LaunchTemplateBlockDeviceMapping[] =>
  volumesOf(ec2, id).map((volume) => ({
    DeviceName: volume.device,
    Ebs: {
      DeleteOnTermination: volume.deleteOnTermination,
      Encrypted: volume.encrypted,
      Iops: volume.iops,
      KmsKeyId: volume.kmsKeyId,
      SnapshotId: volume.snapshotId,
      Throughput: volume.throughput,
      VolumeSize: volume.sizeGib,
      VolumeType: volume.volumeType,
    },
  }));

/** AWS's own tags cannot be copied to another instance. */
const tagsOf = ({ tags }: Instance): sdk.LaunchTemplateTagSpecification[] | undefined => {
  const Tags = tagList(tags).filter(({ Key = '' }) => !Key.startsWith('aws:'));
  return Tags.length === 0 ? undefined : [{ ResourceType: 'instance', Tags }];
};

/** The launch parameters for another instance like this one (GetLaunchTemplateData). */
export const dataOfInstance = (ec2: Ec2, instance: Instance): sdk.ResponseLaunchTemplateData => {
  const row = ec2.networkInterfaces.find(instance.interfaceId);
  return {
    ImageId: instance.imageId,
    InstanceType: instance.instanceType,
    KeyName: instance.keyName,
    IamInstanceProfile: instance.profile && { Arn: instance.profile.arn },
    EbsOptimized: instance.ebsOptimized,
    DisableApiTermination: instance.terminationProtected,
    UserData: instance.userData,
    Placement: instance.placement,
    MetadataOptions: instance.metadataOptions as sdk.LaunchTemplateInstanceMetadataOptions,
    PrivateDnsNameOptions: instance.hostName,
    InstanceMarketOptions: instance.isSpot ? { MarketType: 'spot' } : undefined,
    BlockDeviceMappings: volumeViews(ec2, instance),
    NetworkInterfaces: row && [
      {
        DeviceIndex: 0,
        SubnetId: row.subnetId,
        Groups: row.groupIds,
        AssociatePublicIpAddress: row.publicIp !== undefined,
        DeleteOnTermination: true,
      },
    ],
    TagSpecifications: tagsOf(instance),
  };
};
