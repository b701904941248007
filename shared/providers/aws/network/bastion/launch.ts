import type { _InstanceType, RunInstancesCommandInput } from '@aws-sdk/client-ec2';
import type { AWSCluster, AWSClusterStatus, SubnetSpec } from '../../../../kinds/index.ts';
import { buildTags, type ClusterName, toTagList } from '../../tags.ts';
import type { ObservedBastion } from './model.ts';

/** The host through which users reach machines with SSH: `AWSCluster.spec.bastion`. */

export const BASTION_ROLE = 'bastion';

/**
 * The entry in the AWSCluster's record with the chosen request. It is recorded before the call, so that every further
 * call requests the same instance.
 */
const BASTION_LAUNCH_ANNOTATION = 'windlass.dev/bastion-launch';

export interface BastionLaunch {
  /** Like an intent (intents.ts): shows how long the instance may exist without being visible. */
  token: string;
  request: RunInstancesCommandInput;
}

/** The recorded request. Unreadable data count as absent, so that a new request is chosen. */
export const readBastionLaunch = (awsCluster: AWSCluster | undefined): BastionLaunch | undefined => {
  const text = awsCluster?.metadata.annotations?.[BASTION_LAUNCH_ANNOTATION];
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as BastionLaunch;
  } catch {
    return undefined;
  }
};

export const withBastionLaunch = (awsCluster: AWSCluster, launch: BastionLaunch | undefined): AWSCluster => {
  const { [BASTION_LAUNCH_ANNOTATION]: _before, ...annotations } = awsCluster.metadata.annotations ?? {};
  const recorded: Record<string, string> = launch ? { [BASTION_LAUNCH_ANNOTATION]: JSON.stringify(launch) } : {};
  return { ...awsCluster, metadata: { ...awsCluster.metadata, annotations: { ...annotations, ...recorded } } };
};

/**
 * Canonical's Ubuntu, with upstream's filters. Canonical's account has another number in the partition of the US
 * government.
 */
export const bastionImageQuery = (zone: string): { owner: string; description: string } => ({
  owner: zone.startsWith('us-gov-') ? '513442679011' : '099720109477',
  description: 'Canonical??Ubuntu??24.04??amd64?noble?image*',
});

/** The first public subnet, as in upstream. */
export const bastionSubnet = ({ spec }: AWSCluster): SubnetSpec | undefined =>
  spec.network?.subnets?.find(
    ({ isPublic, zoneType }) => isPublic && (zoneType ?? 'availability-zone') === 'availability-zone',
  );

/** As in upstream, there is no bastion if all machines are reachable. */
export const needsBastion = ({ spec }: AWSCluster): boolean =>
  spec.network?.subnets?.some(({ isPublic }) => !isPublic) ?? false;

export interface BastionFacts {
  cluster: ClusterName;
  awsCluster: AWSCluster;
  subnet: SubnetSpec;
  groupId: string;
  image: { id: string; rootDevice: string };
  /** A text that is unique to this launch. */
  clientToken: string;
}

/** t3.micro is not available in all zones of us-east-1. */
const instanceType = (wanted: string | undefined, zone: string): string =>
  wanted || (zone.startsWith('us-east-1') ? 't2.micro' : 't3.micro');

/**
 * A plain instance without user data: the image contains an SSH server. Like all our instances, it has IMDSv2 and an
 * encrypted disk.
 */
export const bastionRequest = (facts: BastionFacts): RunInstancesCommandInput => {
  const { cluster, awsCluster, subnet, groupId, image, clientToken } = facts;
  const { additionalTags: additional, bastion, sshKeyName = 'default' } = awsCluster.spec;
  const Tags = toTagList(buildTags({ cluster, name: `${cluster.name}-bastion`, role: BASTION_ROLE, additional }));
  return {
    MinCount: 1,
    MaxCount: 1,
    ClientToken: clientToken,
    ImageId: image.id,
    InstanceType: instanceType(bastion?.instanceType, subnet.availabilityZone ?? '') as _InstanceType,
    NetworkInterfaces: [
      {
        DeviceIndex: 0,
        SubnetId: subnet.resourceID ?? subnet.id,
        Groups: [groupId],
        DeleteOnTermination: true,
        // The subnets of a user's VPC may not assign addresses themselves.
        AssociatePublicIpAddress: true,
      },
    ],
    BlockDeviceMappings: [{ DeviceName: image.rootDevice, Ebs: { DeleteOnTermination: true, Encrypted: true } }],
    MetadataOptions: { HttpEndpoint: 'enabled', HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
    ...(sshKeyName ? { KeyName: sshKeyName } : {}),
    TagSpecifications: (['instance', 'volume', 'network-interface'] as const).map((ResourceType) => ({
      ResourceType,
      Tags,
    })),
  };
};

/** `status.bastion`. */
export const bastionStatus = (one: ObservedBastion): NonNullable<AWSClusterStatus['bastion']> => ({
  id: one.id,
  instanceState: one.state,
  ...(one.type ? { type: one.type } : {}),
  ...(one.subnetId ? { subnetId: one.subnetId } : {}),
  ...(one.imageId ? { imageId: one.imageId } : {}),
  ...(one.keyName ? { sshKeyName: one.keyName } : {}),
  ...(one.zone ? { availabilityZone: one.zone } : {}),
  ...(one.privateIp ? { privateIp: one.privateIp } : {}),
  ...(one.publicIp ? { publicIp: one.publicIp } : {}),
  ...(one.ipv6Address ? { ipv6Address: one.ipv6Address } : {}),
  securityGroupIds: [...one.groupIds],
});
