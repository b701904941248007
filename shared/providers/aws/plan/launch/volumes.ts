import type { BlockDeviceMapping, VolumeType } from '@aws-sdk/client-ec2';
import type { AWSMachine } from '../../../../kinds/index.ts';
import type { LaunchImage } from './image.ts';

type Volume = NonNullable<AWSMachine['spec']['rootVolume']>;

/** Volumes are encrypted unless the machine says otherwise; a key means encryption whatever it says. */
const mapping = (volume: Partial<Volume> | undefined, device: string): BlockDeviceMapping => ({
  DeviceName: device,
  Ebs: {
    DeleteOnTermination: true,
    Encrypted: volume?.encryptionKey ? true : (volume?.encrypted ?? true),
    ...(volume?.size ? { VolumeSize: volume.size } : {}),
    ...(volume?.type ? { VolumeType: volume.type as VolumeType } : {}),
    ...(volume?.iops ? { Iops: volume.iops } : {}),
    ...(volume?.throughput ? { Throughput: volume.throughput } : {}),
    ...(volume?.encryptionKey ? { KmsKeyId: volume.encryptionKey } : {}),
  },
});

/** The disks of an instance. The image says which device is the root, whatever `rootVolume.deviceName` says. */
export const blockDevices = ({ spec }: AWSMachine, { rootDevice }: LaunchImage): BlockDeviceMapping[] => [
  mapping(spec.rootVolume, rootDevice),
  ...(spec.nonRootVolumes ?? []).map((volume) => mapping(volume, volume.deviceName ?? '')),
];
