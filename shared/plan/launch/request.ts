import type { _InstanceType, BlockDeviceMapping, RunInstancesCommandInput, VolumeType } from '@aws-sdk/client-ec2';
import { buildTags, type ClusterName, type Tags, toTagList } from '../../aws/tags.ts';
import type { AWSCluster, AWSMachine, Machine } from '../../kinds/index.ts';
import { LABEL } from '../labels.ts';
import { isSpot } from './instance.ts';

/** RunInstances less the user data, which may hold secrets: what is frozen on the AWSMachine before the call. */
export type LaunchRequest = Omit<RunInstancesCommandInput, 'UserData'>;

/** The tag by which an instance is found again when the answer to its launch was lost. */
export const MACHINE_UID_TAG = 'windlass.dev/machine-uid';

export interface LaunchFacts {
  cluster: ClusterName;
  machine: Machine;
  infrastructure: AWSMachine;
  awsCluster: AWSCluster;
  image: { id: string; rootDevice: string };
  subnetId: string;
  securityGroupIds: readonly string[];
}

type Volume = NonNullable<AWSMachine['spec']['rootVolume']>;

/** Volumes are encrypted unless the machine says otherwise. */
const mapping = (volume: Partial<Volume> | undefined, device: string): BlockDeviceMapping => ({
  DeviceName: volume?.deviceName ?? device,
  Ebs: {
    DeleteOnTermination: true,
    Encrypted: volume?.encrypted ?? true,
    ...(volume?.size ? { VolumeSize: volume.size } : {}),
    ...(volume?.type ? { VolumeType: volume.type as VolumeType } : {}),
    ...(volume?.iops ? { Iops: volume.iops } : {}),
    ...(volume?.throughput ? { Throughput: volume.throughput } : {}),
    ...(volume?.encryptionKey ? { KmsKeyId: volume.encryptionKey } : {}),
  },
});

const blockDevices = ({ infrastructure, image }: LaunchFacts): BlockDeviceMapping[] => [
  mapping(infrastructure.spec.rootVolume, image.rootDevice),
  ...(infrastructure.spec.nonRootVolumes ?? []).map((volume) => mapping(volume, volume.deviceName ?? '')),
];

const isControlPlane = ({ metadata }: Machine): boolean => LABEL.controlPlane in (metadata.labels ?? {});

/** Tags of an instance, its volumes and its interfaces (cluster-api-provider-aws: instance tags). */
export const instanceTags = ({
  cluster,
  machine,
  infrastructure,
  awsCluster,
}: Omit<LaunchFacts, 'image' | 'subnetId' | 'securityGroupIds'>): Tags =>
  buildTags({
    cluster,
    name: infrastructure.metadata.name,
    role: isControlPlane(machine) ? 'control-plane' : 'node',
    additional: { ...awsCluster.spec.additionalTags, ...infrastructure.spec.additionalTags },
    extra: {
      MachineName: `${machine.metadata.namespace}/${machine.metadata.name}`,
      [MACHINE_UID_TAG]: machine.metadata.uid ?? '',
    },
    cloudProvider: 'owned',
  });

/** SSH key by upstream's rule: machine, cluster, "default"; the empty string is none. */
const keyName = ({ infrastructure, awsCluster }: LaunchFacts): string | undefined =>
  (infrastructure.spec.sshKeyName ?? awsCluster.spec.sshKeyName ?? 'default') || undefined;

const marketOptions = (infrastructure: AWSMachine): Pick<LaunchRequest, 'InstanceMarketOptions'> => {
  if (!isSpot(infrastructure)) return {};
  const price = infrastructure.spec.spotMarketOptions?.maxPrice;
  const options = {
    InstanceInterruptionBehavior: 'terminate',
    SpotInstanceType: 'one-time',
    ...(price ? { MaxPrice: price } : {}),
  } as const;
  return { InstanceMarketOptions: { MarketType: 'spot', SpotOptions: options } };
};

const placement = ({ spec }: AWSMachine): Pick<LaunchRequest, 'Placement'> => {
  const fields = {
    ...(spec.tenancy ? { Tenancy: spec.tenancy } : {}),
    ...(spec.placementGroupName ? { GroupName: spec.placementGroupName } : {}),
    ...(spec.placementGroupPartition ? { PartitionNumber: spec.placementGroupPartition } : {}),
    ...(spec.hostID ? { HostId: spec.hostID } : {}),
  };
  return Object.keys(fields).length > 0 ? { Placement: fields } : {};
};

const metadataOptions = ({ spec }: AWSMachine): LaunchRequest['MetadataOptions'] => ({
  HttpEndpoint: spec.instanceMetadataOptions?.httpEndpoint ?? 'enabled',
  HttpTokens: spec.instanceMetadataOptions?.httpTokens ?? 'required',
  HttpPutResponseHopLimit: spec.instanceMetadataOptions?.httpPutResponseHopLimit ?? 1,
  InstanceMetadataTags: spec.instanceMetadataOptions?.instanceMetadataTags ?? 'disabled',
});

/**
 * The request that launches a machine's instance. The client token is the Machine's uid: the same request sent twice is
 * one instance. Tags go into the call, so that no instance is ever without its owner.
 */
export const launchRequest = (facts: LaunchFacts): LaunchRequest => {
  const { machine, infrastructure, image, subnetId, securityGroupIds } = facts;
  const Tags = toTagList(instanceTags(facts));
  const { spec } = infrastructure;
  const key = keyName(facts);
  return {
    MinCount: 1,
    MaxCount: 1,
    ClientToken: machine.metadata.uid,
    ImageId: image.id,
    InstanceType: spec.instanceType as _InstanceType,
    NetworkInterfaces: [
      {
        DeviceIndex: 0,
        SubnetId: subnetId,
        Groups: [...securityGroupIds],
        DeleteOnTermination: true,
        ...(spec.publicIP === undefined ? {} : { AssociatePublicIpAddress: spec.publicIP }),
      },
    ],
    BlockDeviceMappings: blockDevices(facts),
    MetadataOptions: metadataOptions(infrastructure),
    ...(spec.iamInstanceProfile ? { IamInstanceProfile: { Name: spec.iamInstanceProfile } } : {}),
    ...(key ? { KeyName: key } : {}),
    ...placement(infrastructure),
    ...marketOptions(infrastructure),
    ...(spec.capacityReservationId
      ? {
          CapacityReservationSpecification: {
            CapacityReservationTarget: { CapacityReservationId: spec.capacityReservationId },
          },
        }
      : {}),
    TagSpecifications: (['instance', 'volume', 'network-interface'] as const).map((ResourceType) => ({
      ResourceType,
      Tags,
    })),
  };
};
