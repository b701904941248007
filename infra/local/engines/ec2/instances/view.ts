/** Instances in responses, and their filters. */
import type * as sdk from '@aws-sdk/client-ec2';
import type { FilterFields } from '../filters.ts';
import type { Instance, InstanceLife, NetworkInterface } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagList } from '../tags.ts';
import { stateAt } from '../timeline.ts';
import { interfacesOf } from './interfaces.ts';
import { volumesOf } from './volumes.ts';

const CODES: Readonly<Record<InstanceLife, number>> = {
  pending: 0,
  running: 16,
  'shutting-down': 32,
  terminated: 48,
  stopping: 64,
  stopped: 80,
};

/** A state with EC2's number for it. */
export const stateView = (name: InstanceLife): sdk.InstanceState => ({ Code: CODES[name], Name: name });

export const lifeOf = (ec2: Ec2, instance: Instance): InstanceLife => stateAt(instance.timeline, ec2.now());

/** The first interface of an instance, which it loses when it is terminated. */
const interfaceOf = (ec2: Ec2, instance: Instance): NetworkInterface | undefined =>
  ec2.networkInterfaces.find(instance.interfaceId);

/** `ip-10-0-0-4.ec2.internal`, or with the region's name outside us-east-1. */
const privateNameOf = (region: string, ip: string): string => {
  const domain = region === 'us-east-1' ? 'ec2.internal' : `${region}.compute.internal`;
  return `ip-${ip.replaceAll('.', '-')}.${domain}`;
};

const publicNameOf = (region: string, ip: string): string => {
  const domain = region === 'us-east-1' ? 'compute-1.amazonaws.com' : `${region}.compute.amazonaws.com`;
  return `ec2-${ip.replaceAll('.', '-')}.${domain}`;
};

/** The name by its address, or by its id if it was launched in this way. */
const dnsNameOf = (region: string, { id, hostName }: Instance, ip: string): string => {
  const byAddress = privateNameOf(region, ip);
  return hostName.HostnameType === 'resource-name' ? `${id}${byAddress.slice(byAddress.indexOf('.'))}` : byAddress;
};

/** Empty without a public address, or if the VPC assigns no names. */
const publicDnsName = (ec2: Ec2, { vpcId, publicIp }: NetworkInterface): string =>
  publicIp && ec2.vpcs.find(vpcId)?.dnsHostnames ? publicNameOf(ec2.place.region, publicIp) : '';

const addressed = (ec2: Ec2, instance: Instance, row: NetworkInterface | undefined): Partial<sdk.Instance> => {
  const { region } = ec2.place;
  if (!row) return { PrivateDnsName: '', PublicDnsName: '' };
  return {
    VpcId: row.vpcId,
    SubnetId: row.subnetId,
    PrivateIpAddress: row.privateIp,
    Ipv6Address: row.ipv6,
    PrivateDnsName: dnsNameOf(region, instance, row.privateIp),
    PublicIpAddress: row.publicIp,
    PublicDnsName: publicDnsName(ec2, row),
    SecurityGroups: row.groupIds.map((GroupId) => ({ GroupId, GroupName: ec2.securityGroups.find(GroupId)?.name })),
  };
};

const interfaceView = (
  ec2: Ec2,
  row: NetworkInterface,
  instance: Instance,
  index: number,
): sdk.InstanceNetworkInterface => ({
  NetworkInterfaceId: row.id,
  VpcId: row.vpcId,
  SubnetId: row.subnetId,
  OwnerId: ec2.place.accountId,
  MacAddress: row.macAddress,
  Description: row.description,
  InterfaceType: 'interface',
  SourceDestCheck: instance.sourceDestCheck,
  Status: 'in-use',
  PrivateDnsName: dnsNameOf(ec2.place.region, instance, row.privateIp),
  PrivateIpAddress: row.privateIp,
  PrivateIpAddresses: [{ Primary: true, PrivateIpAddress: row.privateIp }],
  Ipv6Addresses: row.ipv6 === undefined ? [] : [{ Ipv6Address: row.ipv6, IsPrimaryIpv6: row.isPrimaryIpv6 }],
  Association: row.publicIp
    ? { PublicIp: row.publicIp, PublicDnsName: publicDnsName(ec2, row), IpOwnerId: 'amazon' }
    : undefined,
  Groups: row.groupIds.map((GroupId) => ({ GroupId, GroupName: ec2.securityGroups.find(GroupId)?.name })),
  Attachment: {
    AttachmentId: row.attachmentId,
    AttachTime: new Date(row.createdAt),
    DeleteOnTermination: true,
    DeviceIndex: index,
    Status: 'attached',
  },
});

const volumeViews = (ec2: Ec2, instance: Instance): sdk.InstanceBlockDeviceMapping[] =>
  volumesOf(ec2, instance.id).map((volume) => ({
    DeviceName: volume.device,
    Ebs: {
      VolumeId: volume.id,
      Status: 'attached',
      AttachTime: new Date(volume.createdAt),
      DeleteOnTermination: volume.deleteOnTermination,
    },
  }));

const leaving = ({ reason, timeline }: Instance, now: number): Partial<sdk.Instance> => {
  const at = timeline.findLast(({ state }) => state === 'shutting-down' || state === 'stopping')?.at ?? 0;
  // A spot instance that will be reclaimed later is still running.
  if (!reason || at > now) return { StateTransitionReason: '' };
  const when = new Date(at).toISOString().replace('T', ' ').slice(0, 19);
  return {
    StateReason: { Code: reason.code, Message: reason.message },
    StateTransitionReason: reason.code.startsWith('Client.User') ? `User initiated (${when} GMT)` : reason.message,
  };
};

/** An instance as DescribeInstances and RunInstances show it. */
export const instanceView = (ec2: Ec2, instance: Instance): sdk.Instance => {
  const row = interfaceOf(ec2, instance);
  return {
    InstanceId: instance.id,
    ImageId: instance.imageId,
    InstanceType: instance.instanceType,
    State: stateView(lifeOf(ec2, instance)),
    ...leaving(instance, ec2.now()),
    ...addressed(ec2, instance, row),
    NetworkInterfaces: interfacesOf(ec2, instance).map((one, index) => interfaceView(ec2, one, instance, index)),
    BlockDeviceMappings: volumeViews(ec2, instance),
    LaunchTime: new Date(instance.timeline.findLast(({ state }) => state === 'pending')?.at ?? instance.createdAt),
    AmiLaunchIndex: instance.launchIndex,
    Architecture: instance.architecture,
    ClientToken: instance.clientToken ?? '',
    EbsOptimized: instance.ebsOptimized,
    EnaSupport: true,
    Hypervisor: 'xen',
    VirtualizationType: 'hvm',
    IamInstanceProfile: instance.profile && { Arn: instance.profile.arn, Id: instance.profile.id },
    InstanceLifecycle: instance.isSpot ? 'spot' : undefined,
    KeyName: instance.keyName,
    MetadataOptions: instance.metadataOptions,
    Monitoring: { State: 'disabled' },
    Placement: instance.placement,
    PlatformDetails: 'Linux/UNIX',
    PrivateDnsNameOptions: instance.hostName,
    RootDeviceName: instance.rootDevice,
    RootDeviceType: 'ebs',
    SourceDestCheck: instance.sourceDestCheck,
    Tags: tagList(instance.tags),
  };
};

/** The filters of DescribeInstances. A terminated instance has no network any more and matches no filter for it. */
export const instanceFields = (ec2: Ec2): FilterFields<Instance> => ({
  'instance-id': ({ id }) => id,
  'instance-state-name': (instance) => lifeOf(ec2, instance),
  'instance-state-code': (instance) => CODES[lifeOf(ec2, instance)],
  'instance-type': ({ instanceType }) => instanceType,
  'image-id': ({ imageId }) => imageId,
  'availability-zone': ({ zone }) => zone,
  'vpc-id': (instance) => interfaceOf(ec2, instance)?.vpcId,
  'subnet-id': (instance) => interfaceOf(ec2, instance)?.subnetId,
  'network-interface.network-interface-id': (instance) => interfaceOf(ec2, instance)?.id,
  'network-interface.subnet-id': (instance) => interfaceOf(ec2, instance)?.subnetId,
  'network-interface.vpc-id': (instance) => interfaceOf(ec2, instance)?.vpcId,
  'private-ip-address': (instance) => interfaceOf(ec2, instance)?.privateIp,
  'network-interface.addresses.private-ip-address': (instance) => interfaceOf(ec2, instance)?.privateIp,
  'ip-address': (instance) => interfaceOf(ec2, instance)?.publicIp,
  'private-dns-name': (instance) => {
    const ip = interfaceOf(ec2, instance)?.privateIp;
    return ip && dnsNameOf(ec2.place.region, instance, ip);
  },
  'instance.group-id': (instance) => interfaceOf(ec2, instance)?.groupIds,
  'instance.group-name': (instance) =>
    interfaceOf(ec2, instance)?.groupIds.map((id) => ec2.securityGroups.find(id)?.name),
  'client-token': ({ clientToken }) => clientToken,
  'key-name': ({ keyName }) => keyName,
  'reservation-id': ({ reservationId }) => reservationId,
  'owner-id': () => ec2.place.accountId,
  architecture: ({ architecture }) => architecture,
  'iam-instance-profile.arn': ({ profile }) => profile?.arn,
  'instance-lifecycle': ({ isSpot }) => (isSpot ? 'spot' : undefined),
  tenancy: ({ placement }) => placement.Tenancy,
  'root-device-name': ({ rootDevice }) => rootDevice,
  'launch-time': ({ createdAt }) => new Date(createdAt).toISOString(),
});
