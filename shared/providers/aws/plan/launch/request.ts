import type {
  _InstanceType,
  BlockDeviceMapping,
  Placement,
  ResourceType,
  RunInstancesCommandInput,
  VolumeType,
} from '@aws-sdk/client-ec2';
import type { AWSCluster, AWSMachine, Machine } from '../../../../kinds/index.ts';
import { isControlPlaneMachine } from '../../../../plan/labels.ts';
import { isExternallyManaged } from '../../../../plan/status/managed-by.ts';
import { buildTags, type ClusterName, type Tags, toTagList } from '../../tags.ts';
import type { LaunchImage } from './image.ts';
import { cpuOptions, hostNameOptions, metadataOptions } from './machine-options.ts';
import { capacityReservation, isSpot, marketOptions } from './market.ts';
import { givenInterfaces, networkInterfaces } from './network-interfaces.ts';
import type { LaunchPlace } from './subnet.ts';

type Volume = NonNullable<AWSMachine['spec']['rootVolume']>;

/** Volumes are encrypted unless the machine says otherwise. If there is a key, they are always encrypted. */
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

/** The disks of an instance. The image determines the root device, whatever `rootVolume.deviceName` is. */
const blockDevices = ({ spec }: AWSMachine, { rootDevice }: LaunchImage): BlockDeviceMapping[] => [
  mapping(spec.rootVolume, rootDevice),
  ...(spec.nonRootVolumes ?? []).map((volume) => mapping(volume, volume.deviceName ?? '')),
];

/** The host of the instance: specified by the machine, or allocated for it right before the launch. */
const hostPlacement = ({ spec }: AWSMachine): Placement => {
  if (spec.dynamicHostAllocation) return { Tenancy: 'host', Affinity: 'host' };
  if (spec.hostID)
    return { Tenancy: spec.tenancy ?? 'host', HostId: spec.hostID, Affinity: spec.hostAffinity ?? 'default' };
  return spec.tenancy === 'host' && spec.hostAffinity === 'host' ? { Affinity: 'host' } : {};
};

/** The placement of the instance on AWS's hardware. */
const placement = (machine: AWSMachine): Pick<RunInstancesCommandInput, 'Placement'> => {
  const { spec } = machine;
  const Placement = {
    ...(spec.tenancy ? { Tenancy: spec.tenancy } : {}),
    ...(spec.placementGroupName ? { GroupName: spec.placementGroupName } : {}),
    ...(spec.placementGroupPartition ? { PartitionNumber: spec.placementGroupPartition } : {}),
    ...hostPlacement(machine),
  };
  return Object.keys(Placement).length > 0 ? { Placement } : {};
};

/**
 * RunInstances without the user data, which may contain secrets. This is recorded on the AWSMachine before the call.
 */
export type LaunchRequest = Omit<RunInstancesCommandInput, 'UserData'>;

/** The tag with which an instance is found again if the response to its launch was lost: the uid of its Machine. */
export const MACHINE_UID_TAG = 'windlass.dev/machine-uid';

/** Upstream's tag on instances, volumes and interfaces: `<namespace>/<name>` of the Machine. */
export const MACHINE_NAME_TAG = 'MachineName';

export interface LaunchFacts {
  cluster: ClusterName;
  machine: Machine;
  infrastructure: AWSMachine;
  awsCluster: AWSCluster;
  instanceType: string;
  /** How many requests for this machine EC2 has refused. */
  attempt: number;
  image: LaunchImage;
  place: LaunchPlace;
  securityGroupIds: readonly string[];
}

/** Tags of an instance, its volumes and its interfaces (cluster-api-provider-aws: instance tags). */
export const instanceTags = ({
  cluster,
  machine,
  infrastructure,
  awsCluster,
}: Pick<LaunchFacts, 'cluster' | 'machine' | 'infrastructure' | 'awsCluster'>): Tags =>
  buildTags({
    cluster,
    name: infrastructure.metadata.name,
    role: isControlPlaneMachine(machine) ? 'control-plane' : 'node',
    additional: { ...awsCluster.spec.additionalTags, ...infrastructure.spec.additionalTags },
    extra: {
      [MACHINE_NAME_TAG]: `${machine.metadata.namespace}/${machine.metadata.name}`,
      [MACHINE_UID_TAG]: machine.metadata.uid ?? '',
    },
    cloudProvider: 'owned',
  });

/**
 * The SSH key by upstream's rule: the machine's, the cluster's, or "default" unless another system manages the
 * infrastructure; the empty string means none.
 */
const keyName = ({ infrastructure, awsCluster }: LaunchFacts): string | undefined => {
  const usual = isExternallyManaged(awsCluster) ? undefined : 'default';
  return (infrastructure.spec.sshKeyName ?? awsCluster.spec.sshKeyName ?? usual) || undefined;
};

/** The uid for the first request. Every later one follows a refusal and is a separate launch. */
const clientToken = ({ metadata }: Machine, attempt: number): string | undefined =>
  attempt === 0 ? metadata.uid : `${metadata.uid}-${attempt}`;

const SPOT_REQUEST = 'spot-instances-request';

/** The same launch without tags for its request on the spot market; undefined if it has none. */
export const withoutRequestTags = (request: LaunchRequest): LaunchRequest | undefined => {
  const left = request.TagSpecifications?.filter(({ ResourceType }) => ResourceType !== SPOT_REQUEST);
  return left?.length === request.TagSpecifications?.length ? undefined : { ...request, TagSpecifications: left };
};

/** An interface that the machine names belongs to the user, so it gets none of our tags. */
const tagged = (infrastructure: AWSMachine): ResourceType[] => [
  'instance',
  'volume',
  ...(givenInterfaces(infrastructure).length > 0 ? [] : (['network-interface'] as const)),
  ...(isSpot(infrastructure) ? ([SPOT_REQUEST] as const) : []),
];

/**
 * The request that launches a machine's instance. The client token is the Machine's uid: the same request, sent twice,
 * gives one instance. Tags are part of the call, so that no instance is ever without its owner.
 */
export const launchRequest = (facts: LaunchFacts): LaunchRequest => {
  const { machine, infrastructure, awsCluster, image, place, securityGroupIds } = facts;
  const Tags = toTagList(instanceTags(facts));
  const { iamInstanceProfile } = infrastructure.spec;
  const key = keyName(facts);
  return {
    MinCount: 1,
    MaxCount: 1,
    ClientToken: clientToken(machine, facts.attempt),
    ImageId: image.id,
    InstanceType: facts.instanceType as _InstanceType,
    NetworkInterfaces: networkInterfaces(infrastructure, awsCluster, place, securityGroupIds),
    BlockDeviceMappings: blockDevices(infrastructure, image),
    MetadataOptions: metadataOptions(infrastructure),
    ...(iamInstanceProfile ? { IamInstanceProfile: { Name: iamInstanceProfile } } : {}),
    ...(key ? { KeyName: key } : {}),
    ...placement(infrastructure),
    ...marketOptions(infrastructure),
    ...capacityReservation(infrastructure),
    ...cpuOptions(infrastructure),
    ...hostNameOptions(infrastructure),
    TagSpecifications: tagged(infrastructure).map((ResourceType) => ({ ResourceType, Tags })),
  };
};
